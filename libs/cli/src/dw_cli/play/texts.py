"""Texts of a story: counters, fake secrets that stand in no file, and letters that nobody sees."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_HOLE: Final = re.compile(r"\$\{(?:(i)|secret\.([a-z_]+)(\|zw)?:([^}]*)|(tags|vs):([^}]*))\}")
_ANY_HOLE: Final = re.compile(r"\$\{[^}]*\}")
_WORDS: Final = (
    "Amber Barrel Cinder Dapple Ember Falcon Garnet Heron Indigo Juniper Kestrel Lantern Maple Nimbus Otter Pebble "
    "Quartz Raven Saddle Timber Umber Velvet Walnut Yonder Zephyr"
).split()
_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ZERO_WIDTH_SPACE: Final = "\u200b"
EVERY: Final = 8


class BadText(ValueError):
    """A hole of a text that cannot be filled."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Fills the holes of one file's texts. The same file, kind and label give the same secret everywhere."""

    file: str

    def fill(self, text: str, i: int = 1) -> str:
        """The text as it is said; `i` counts under `times`."""
        return _HOLE.sub(lambda hole: self._filled(hole, i), text)

    def check(self, text: str) -> None:
        """BadText where a hole cannot be filled."""
        if (left := _ANY_HOLE.search(self.fill(text))) is not None:
            raise BadText(f"nothing is known to fill {left.group(0)}")

    def pattern(self, text: str) -> str:
        """A regular expression in which a secret stands for itself, without its invisible characters."""
        return _HOLE.sub(lambda hole: re.escape(visible(self._filled(hole, 1))), text)

    def _filled(self, hole: re.Match[str], i: int) -> str:
        counter, kind, spread, label, disguise, hidden = hole.groups()
        if counter:
            return str(i)
        if disguise:
            return in_tags(hidden) if disguise == "tags" else in_variation_selectors(hidden)
        if kind not in _MAKERS:
            raise BadText(f"no secret of kind {kind!r}; known are {', '.join(_MAKERS)}")
        secret = _MAKERS[kind](_Dice(f"{self.file}:{kind}:{label}"))
        return spread_out(secret) if spread else secret


def spread_out(text: str) -> str:
    """A zero-width space after every eighth character."""
    return "".join(
        char + (ZERO_WIDTH_SPACE if place % EVERY == 0 else "") for place, char in enumerate(text, 1)
    )


def in_tags(text: str) -> str:
    """In Unicode tag characters, which no font shows."""
    return "".join(chr(0xE0000 + ord(char)) for char in text if ord(char) < 0x7F)


def in_variation_selectors(text: str) -> str:
    """Each byte as a variation selector."""
    return "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in text.encode())


_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """The text without characters that nobody sees."""
    return _INVISIBLE.sub("", text)


class _Dice:
    """A stream of numbers that follows from a name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rolled = 0

    def below(self, limit: int) -> int:
        """The next number from 0 to limit - 1."""
        self._rolled += 1
        digest = hashlib.sha256(f"{self._name}:{self._rolled}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def chars(self, alphabet: str, count: int) -> str:
        """So many letters of an alphabet."""
        return "".join(alphabet[self.below(len(alphabet))] for _ in range(count))

    def word(self) -> str:
        """One of a few words."""
        return _WORDS[self.below(len(_WORDS))]


def _password(dice: _Dice) -> str:
    return f"{dice.word()}-{dice.word()}-{10 + dice.below(90)}!"


def _github(dice: _Dice) -> str:
    """GitHub's own form: thirty characters, and their CRC-32 in base 62."""
    body = dice.chars(_BASE62, 30)
    left, digits = zlib.crc32(body.encode()), ""
    while left:
        left, digit = divmod(left, 62)
        digits = _BASE62[digit] + digits
    return f"ghp_{body}{digits.rjust(6, '0')}"


def _private_key(dice: _Dice) -> str:
    lines = "\n".join(dice.chars(_BASE64, 64) for _ in range(6))
    return f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"


_MAKERS: Final[dict[str, Callable[[_Dice], str]]] = {
    "password": _password,
    "aws": lambda dice: "AKIA" + dice.chars(_UPPER, 16),
    "github": _github,
    "api_key": lambda dice: "sk_live_" + dice.chars(_BASE62, 24),
    "private_key": _private_key,
}
SECRET_KINDS: Final = tuple(_MAKERS)
