"""Features of a message for the linear models. Strings, so that a model file can be read by a person.

`sparse` features are words and parts of words and are scaled by their number; `dense` ones are cues, pairs of cues
and the shape of the message. Whether a message answers another is no feature: only whether it speaks of the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, pairwise
from operator import add

from dw_learning.words.cues import Reading
from dw_learning.words.tokens import words

MAX_CHARS = 700
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fffー々]+")
_NUMBERED = re.compile(r"(?:^|[\s:：])1[).].{2,200}?\s2[).]", re.DOTALL)
_DIGIT = re.compile(r"\d")
_PICTURE = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_NAME = re.compile(r"[A-Z](?<=[^.!?] [A-Z])\S")
# Each begins with the sign that it looks for, so that a text without it costs nearly nothing.
_TIME = re.compile(r"\d(?<!\d\d)\d?(?::\d\d|\s?[ap]m\b|\s?uhr\b|時| ?h\b)")
_TICKET = re.compile(r"[A-Z]{2,6}-\d{2,}\b")
_MAIL = re.compile(r"@(?<=\w@)|\.(?<=\w\.)(?:com|test|example|org|net|io|de|local|internal)\b")
_PHONE = re.compile(r"\d[\d ()/-]{6,}\d")


def features(reading: Reading, prev: str | None) -> tuple[list[str], list[str]]:
    """(sparse, dense)."""
    return _sparse(reading), _dense(reading, prev)


def _sparse(reading: Reading) -> list[str]:
    if reading.lang == "ja":
        return unspaced(reading.low)
    tokens = [counts_as(token) for token in reading.tokens[:MAX_TOKENS]]
    found = [feature for token in tokens for feature in of_token(token)]
    found += [f"{one} {two}" for one, two in pairwise(tokens)]
    if tokens:
        found += ["^" + tokens[0], "$" + tokens[-1]]
    return found


def unspaced(low: str) -> list[str]:
    """Signs, pairs and triples of a text whose words are not parted."""
    found: list[str] = []
    for run in _RUN.findall(low[:MAX_CHARS]):
        found += run
        found += map(add, run, run[1:])
        found += map(add, map(add, run, run[1:]), run[2:])
    found.append("$" + low.rstrip(" 。!！.\n")[-2:])
    return found


def counts_as(token: str) -> str:
    """The word itself; numbers are all alike."""
    return "#" if token[0].isdigit() else token


def of_token(token: str) -> tuple[str, ...]:
    """A word, and of a long one its beginning and its end; in Korean, where endings hang on short words too, its last sign
    and the last two."""
    if "가" <= token[0] <= "힣":
        return token, "*" + token[-1:], "*" + token[-2:]
    return (token, token[:5] + "*", "*" + token[-3:]) if len(token) > 5 else (token,)


def _dense(reading: Reading, prev: str | None) -> list[str]:
    return [*of_shape(reading.cues, shape_of(reading), reading.first), *of_subject(reading, prev)]


@lru_cache(maxsize=8_192)  # the same few cues stand together again and again
def _of_cues(cues: frozenset[str]) -> tuple[str, ...]:
    ordered = sorted(cues)
    alone = ["c:" + cue for cue in ordered] or ["c:none"]
    return (*alone, *(f"c:{one}&{two}" for one, two in combinations(ordered[:MAX_PAIRED], 2)))


@lru_cache(maxsize=8_192)
def of_shape(cues: frozenset[str], shape: tuple[str, ...], first: str) -> tuple[str, ...]:
    """Cues, pairs of cues, the shape, and what of it counts beside which cue."""
    ordered = sorted(cues)[:MAX_PAIRED]
    paired = (f"c:{cue}&s:{sign}" for sign in shape if sign in _PAIRED for cue in ordered)
    opening = ("f:" + first,) if first else ()
    return (*_of_cues(cues), *("s:" + sign for sign in shape), *paired, *opening)


def of_subject(reading: Reading, prev: str | None) -> tuple[str, ...]:
    """What it tells that the answered message spoke of the same."""
    if not prev or not _same_subject(reading, prev):
        return ()
    return ("p:same", *(f"p:same&{cue}" for cue in sorted(reading.cues)[:MAX_PAIRED]))


MAX_TOKENS = 90
MAX_PAIRED = 12
_PAIRED = frozenset({"q", "len0", "len1", "len4", "name", "names", "num", "list", "arrow", "emoji"})


def shape_of(reading: Reading) -> tuple[str, ...]:
    """What can be seen without reading: length, signs, numbers, names."""
    text = reading.text
    count = len(text) // 3 if reading.lang == "ja" else len(reading.tokens)
    found = [
        "len" + str((count > 3) + (count > 8) + (count > 16) + (count > 30) + (count > 50)),
        "lang:ja" if reading.lang == "ja" else "lang:other",
    ]
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
    return tuple(found)


def _names(text: str) -> int:
    """Words with a capital that no sentence begins with."""
    if text[1:].islower():
        return 0
    if text.isascii() and "  " not in text and text.isprintable():
        return len(_NAME.findall(text))  # one space between words: what stands before it tells all
    count, before = 0, "."
    for word in text.split():
        if word[0].isupper() and before not in ".!?…" and len(word) > 1:
            count += 1
        before = word[-1]
    return count


def _with_numbers(text: str) -> list[str]:
    found = ["num"]
    if "1" in text and "2" in text and (")" in text or "." in text) and _NUMBERED.search(text):
        found.append("list")
    if _TIME.search(text):
        found.append("time")
    if "-" in text and _TICKET.search(text):
        found.append("ticket")
    if _PHONE.search(text):
        found.append("phone")
    return found


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


def _same_subject(reading: Reading, prev: str) -> bool:
    """Do message and answered message share a word that is long or a number?"""
    if "?" in prev or "？" in prev:
        return False
    if reading.lang == "ja":
        low = prev.lower()
        return any(run[i : i + 3] in low for run in _RUN.findall(reading.low) for i in range(len(run) - 2))
    return any(len(token) > 4 for token in set(reading.tokens).intersection(words(prev)))
