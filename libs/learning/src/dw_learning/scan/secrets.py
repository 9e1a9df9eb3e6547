"""Secrets as people paste them into chat: tokens by their form, passwords by the words around them (SECURITY.md D)."""

from __future__ import annotations

import re

from dw_learning.scan.hits import Hit

_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")
# One cheap look that nearly every clean message passes.
_PREFILTER = re.compile(
    r"pass|pwd|pw\b|secret|token|key|code|pin\b|otp|mfa|2fa|login|cred|kenn|zugang|contrase|clave|парол|код|ключ|"
    r"mật|mã|パス|暗証|認証|コード|密码|비밀|senha|mot de|AKIA|ASIA|gh[pousr]_|sk[_-]|xox|AIza|eyJ|BEGIN|://|"
    r"glpat|npm_|[A-Za-z0-9+/_=-]{28}|\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d",
    re.IGNORECASE,
)
_WORD = (
    r"pass(?:word|wd|phrase|code)?s?|pwd|pw|kennwort|passwort|contraseña|clave|пароль|пароля|паролем|mật khẩu|mat khau|"
    r"パスワード|暗証番号|密码|비밀번호|senha|mot de passe|hasło|parola|wifi key|wlan-schlüssel"
)
_VALUE = r"[^\s,;。、]{4,64}"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private_key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.{0,8000}?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)),
    ("aws_key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("github_token", re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b|\bgithub_pat_[A-Za-z0-9_]{22,255}\b")),
    ("api_key", re.compile(r"\b(?:sk|rk|pk)[_-](?:live|test|proj|ant)[_-][A-Za-z0-9_-]{16,200}")),
    ("api_key", re.compile(r"\bsk-[A-Za-z0-9]{20,200}\b|\bAIza[A-Za-z0-9_-]{35}\b|\bglpat-[A-Za-z0-9_-]{20,64}|\bnpm_[A-Za-z0-9]{36}\b")),
    ("slack_token", re.compile(r"\bxox[abeprs]-[A-Za-z0-9-]{10,250}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}")),
    ("connection_string", re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,64}:([^\s@/]{3,128})@[^\s]{2,200}")),
    (
        "password",
        re.compile(
            rf"(?:{_WORD})\b[^\n.!?]{{0,60}}?(?:\s(?:is|are|ist|lautet|es|là|це|est|to)\s|[:=：]|は|—|–|->|→)\s*[\"'`「]?({_VALUE})",
            re.IGNORECASE,
        ),
    ),
    (
        "one_time_code",
        re.compile(
            r"(?:code|otp|mfa|2fa|tan|pin|код|mã|コード|código)\w{0,3}\b[^\n.!?]{0,40}?(?:[:=：]|\sis\s|\sist\s|\ses\s|は|—|-)\s*"
            r"(\d{3,8}(?:[ -]\d{3,6})?(?:,\s*\d{3,6}[ -]\d{3,6})*)",
            re.IGNORECASE,
        ),
    ),
)  # fmt: skip
_SECRETISH = re.compile(r"(?=.*\d)(?=.*[A-Za-zА-Яа-яÄÖÜäöüß])|[!@#$%^&*_+~?]|\d{4,}")
_CARD = re.compile(r"(?<![\d.])(?:\d[ -]?){12,18}\d(?![\d.])")


def scan_secrets(text: str) -> tuple[Hit, ...]:
    """Every secret in the text, spans without overlap, in order. Zero-width characters inside do not hide one."""
    if _PREFILTER.search(text) is None and _ZERO_WIDTH.search(text) is None:
        return ()
    plain, places = _visible(text)
    found: list[tuple[int, int, str, float]] = []
    for kind, pattern in _FORMS:
        for match in pattern.finditer(plain):
            group = 1 if pattern.groups and match.group(1) else 0
            start, end = match.span(group)
            if kind == "password":
                end = start + len(plain[start:end].rstrip(".,;:!?\"'`)」") or plain[start:end])
                end = _with_bang(plain, start, end)
                if not _SECRETISH.search(plain[start:end]) or plain[start:end].startswith("[redacted"):
                    continue
            found.append((start, end, kind, 0.9))
    found += [(m.start(), m.end(), "card_number", 0.9) for m in _CARD.finditer(plain) if _luhn(m.group())]
    return tuple(
        Hit(f"secret.{kind}", kind, places[start], places[end - 1] + 1, sure)
        for start, end, kind, sure in _disjoint(found)
    )


def _with_bang(text: str, start: int, end: int) -> int:
    """A closing `!` or `?` belongs to a password that has a digit in it."""
    while end < len(text) and text[end] in "!?" and any(c.isdigit() for c in text[start:end]):
        end += 1
    return end


def _visible(text: str) -> tuple[str, list[int]]:
    """The text without zero-width characters, and where each character stood."""
    if _ZERO_WIDTH.search(text) is None:
        return text, list(range(len(text)))
    places = [i for i, c in enumerate(text) if not _ZERO_WIDTH.match(c)]
    return "".join(text[i] for i in places), places


def _disjoint(found: list[tuple[int, int, str, float]]) -> list[tuple[int, int, str, float]]:
    kept: list[tuple[int, int, str, float]] = []
    for start, end, kind, sure in sorted(found, key=lambda f: (f[0], -f[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, kind, sure))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end, kept[-1][2], sure)
    return kept


def _luhn(number: str) -> bool:
    digits = [int(c) for c in number if c.isdigit()]
    if len(set(digits)) < 3:
        return False
    total = sum(d if i % 2 == 0 else (d * 2 - 9 if d > 4 else d * 2) for i, d in enumerate(reversed(digits)))
    return total % 10 == 0
