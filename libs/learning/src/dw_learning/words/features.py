"""Features of a message for the linear models. Strings, so that a model file can be read by a person.

`sparse` features are words and parts of words and are scaled by their number; `dense` ones are cues, pairs of cues
and the shape of the message. Whether a message answers another is no feature: only whether it speaks of the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, pairwise

from dw_learning.words.cues import Reading
from dw_learning.words.tokens import words

MAX_CHARS = 700
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fffー々]+")
_NUMBERED = re.compile(r"(?:^|[\s:：])1[).].{2,200}?\s2[).]", re.DOTALL)
_DIGIT = re.compile(r"\d")
_PICTURE = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_TIME = re.compile(r"(?<!\d)\d{1,2}(?::\d\d|\s?[ap]m\b|\s?uhr\b|時| ?h\b)")
_TICKET = re.compile(r"[A-Z]{2,6}-\d{2,}\b")
_MAIL = re.compile(r"\w@|\w\.(?:com|test|example|org|net|io|de|local|internal)\b")
_PHONE = re.compile(r"\+?\d[\d ()/-]{6,}\d")


def features(reading: Reading, prev: str | None) -> tuple[list[str], list[str]]:
    """(sparse, dense)."""
    return _sparse(reading), _dense(reading, prev)


def _sparse(reading: Reading) -> list[str]:
    found: list[str] = []
    if reading.lang == "ja":
        for run in _RUN.findall(reading.low[:MAX_CHARS]):
            found += run
            found += [run[i : i + 2] for i in range(len(run) - 1)]
            found += [run[i : i + 3] for i in range(len(run) - 2)]
        found.append("$" + reading.low.rstrip(" 。!！.\n")[-2:])
        return found
    tokens = [token if not token[0].isdigit() else "#" for token in reading.tokens[:90]]
    found += tokens
    found += [f"{one} {two}" for one, two in pairwise(tokens)]
    found += [token[:5] + "*" for token in tokens if len(token) > 5]
    found += ["*" + token[-3:] for token in tokens if len(token) > 5]
    if tokens:
        found += ["^" + tokens[0], "$" + tokens[-1]]
    return found


def _dense(reading: Reading, prev: str | None) -> list[str]:
    shape = _shape(reading)
    found = [*_of_cues(reading.cues), *(_of_shape(reading.cues, tuple(shape)))]
    if reading.first:
        found.append("f:" + reading.first)
    if prev and _same_subject(reading, prev):
        found.append("p:same")
        found += [f"p:same&{cue}" for cue in sorted(reading.cues)[:MAX_PAIRED]]
    return found


@lru_cache(maxsize=8_192)  # the same few cues stand together again and again
def _of_cues(cues: frozenset[str]) -> tuple[str, ...]:
    ordered = sorted(cues)
    alone = ["c:" + cue for cue in ordered] or ["c:none"]
    return (*alone, *(f"c:{one}&{two}" for one, two in combinations(ordered[:MAX_PAIRED], 2)))


@lru_cache(maxsize=8_192)
def _of_shape(cues: frozenset[str], shape: tuple[str, ...]) -> tuple[str, ...]:
    ordered = sorted(cues)[:MAX_PAIRED]
    paired = (f"c:{cue}&s:{sign}" for sign in shape if sign in _PAIRED for cue in ordered)
    return (*("s:" + sign for sign in shape), *paired)


MAX_PAIRED = 12
_PAIRED = frozenset({"q", "len0", "len1", "len4", "name", "names", "num", "list", "arrow", "emoji"})


def _shape(reading: Reading) -> list[str]:
    text = reading.text
    count = len(text) // 3 if reading.lang == "ja" else len(reading.tokens)
    found = ["len" + str((count > 3) + (count > 8) + (count > 16) + (count > 30) + (count > 50))]
    found.append("lang:ja" if reading.lang == "ja" else "lang:other")
    if "?" in text or "？" in text:
        found.append("q")
    if "!" in text or "！" in text:
        found.append("excl")
    if text[:1] in "[*>:`+=-<":
        found.append("open" + text[:1])
    found += [name for sign, name in _SIGNS if sign in text]
    names = _names(text)
    if names:
        found.append("name" if names == 1 else "names")
    if _DIGIT.search(text):
        found += _with_numbers(text)
    if ("@" in text or "." in text) and _MAIL.search(text):
        found.append("mail")
    if "①" in text and "②" in text:
        found.append("list")
    if not text.isascii() and _PICTURE.search(text):
        found.append("emoji")
    return found


def _names(text: str) -> int:
    """Words with a capital that no sentence begins with."""
    if text[1:].islower():
        return 0
    count, before = 0, "."
    for word in text.split():
        if word[0].isupper() and before not in ".!?…" and len(word) > 1:
            count += 1
        before = word[-1]
    return count


def _with_numbers(text: str) -> list[str]:
    found = ["num"]
    if "1" in text and "2" in text and _NUMBERED.search(text):
        found.append("list")
    return found + [name for pattern, name in _PATTERNS if pattern.search(text)]


_SIGNS = (
    ("://", "url"),
    ("`", "code"),
    ("→", "arrow"),
    ("->", "arrow"),
    ("\n", "lines"),
    (" = ", "eq"),
    ("@", "at"),
    (": ", "colon"),
    ('"', "quote"),
    (" not ", "not"),
    ("...", "dots"),
)
_PATTERNS = ((_TIME, "time"), (_TICKET, "ticket"), (_PHONE, "phone"))


def _same_subject(reading: Reading, prev: str) -> bool:
    """Do message and answered message share a word that is long or a number?"""
    if "?" in prev or "？" in prev:
        return False
    if reading.lang == "ja":
        low = prev.lower()
        return any(run[i : i + 3] in low for run in _RUN.findall(reading.low) for i in range(len(run) - 2))
    before = {token for token in words(prev) if len(token) > 4}
    return any(token in before for token in reading.tokens)
