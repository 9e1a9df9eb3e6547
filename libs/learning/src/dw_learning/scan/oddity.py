"""Cheap looks that tell whether the expensive ones can find anything at all."""

import re

_VALUE = re.compile(r"\d|[#$%^&*=:`|]|[\"'“«„「]\S|!\w")
_SIGN = re.compile(r"[#$%^&*~@!+].*\d|\d.*[#$%^&*~@!+]")
_MANY_DIGITS = re.compile(r"(?:\d[ .-]{0,2}){13}")
_OPAQUE_RUN = re.compile(r"[A-Za-z0-9_+/=~%.-]{16,}")
_DASHED = re.compile(r"-----|PuTTY|\\[xu]|&#|[^\u0000-\u052f\u1e00-\u1eff]")
_JOINTS = re.compile(r"(?:[^\s._|*-][._|*-]){5}")
_ADDED = re.compile(r"[\"'`]\s*(?:\+|;|&|\.)\s*")
_ESCAPED = re.compile(r"(?:\\[xu][0-9a-fA-F]{2,4}|&#x?\w{2,5};|%[0-9a-fA-F]{2}){4}")
_PAIRS = re.compile(r"(?:[0-9a-fA-F]{2}[ :]){7}|[01]{8}\s[01]{8}")
LIST_SIZES = frozenset({12, 15, 18, 21, 24})
LONG = 16
VERY_LONG = 18
CODED = 24
"""A run as long as this may be something encoded."""
SINGLES = 6


def may_hold_value(shown: str) -> bool:
    """Whether there is anything that could be the value beside a word for a secret."""
    return _VALUE.search(shown) is not None


def has_many_digits(shown: str) -> bool:
    """Whether there are enough digits side by side for the number of a card."""
    return _MANY_DIGITS.search(shown) is not None


def has_secret_shape(shown: str, words: list[str], longest: int) -> bool:
    """What a secret without a word for it looks like: a long run, signs among digits, a list of short words."""
    if longest >= LONG and (
        longest >= VERY_LONG
        or "://" in shown
        or not all(word.isalpha() for word in words if len(word) >= LONG)
    ):
        return True
    if longest >= 8 and any(_SIGN.search(word) for word in words if len(word) >= 8 and not word.isalnum()):
        return True
    if has_many_digits(shown) or "-----" in shown or "PuTTY" in shown:
        return True
    return len(words) in LIST_SIZES and all(word.isalpha() and word.islower() for word in words)


def is_disguised(shown: str, words: list[str], longest: int) -> bool:
    """Whether something may be encoded, letter-spaced or put together from pieces."""
    if longest >= LONG and not all(word.isalpha() for word in words if len(word) >= LONG):
        return True
    if longest >= CODED or sum([len(word) == 1 for word in words]) >= SINGLES:
        return True
    if longest >= 9 and _JOINTS.search(shown) is not None:
        return True
    if ("\\" in shown or "&#" in shown or "%" in shown) and _ESCAPED.search(shown) is not None:
        return True
    if "AKIA" in shown or "ASIA" in shown:
        return True
    return ("'" in shown or '"' in shown or "`" in shown) and _ADDED.search(shown) is not None


def has_left_over(shown: str) -> bool:
    """Whether a text that was redacted once could still hold a secret without digits or signs; wallet words aside."""
    words = shown.replace("\x00", " ").split()
    return max(map(len, words), default=0) >= LONG or sum([len(word) == 1 for word in words]) >= 4


def has_other_shape(shown: str, count: int) -> bool:
    """Whether a text in which `count` secrets were masked has the shape of another one, no word for it beside; wallet words aside."""
    if (
        shown.count("://") > count
        or _DASHED.search(shown)
        or _MANY_DIGITS.search(shown)
        or _ADDED.search(shown)
    ):
        return True
    words = shown.replace("\x00", " ").split()
    if sum([len(word) == 1 for word in words]) >= 4:
        return True
    for word in words:
        if word[0] == "@":
            continue
        if len(word) >= 8 and _SIGN.search(word):
            return True
        if len(word) >= 16 and any(map(str.isdigit, word)) and _OPAQUE_RUN.search(word):
            return True
    return False
