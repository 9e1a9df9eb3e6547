"""What a text says once decoded or put together again, with the way back to where it stood."""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from dw_learning.scan.reading import LEET, LEET_WORD

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{12,}={0,2}(?:\s[A-Za-z0-9+/]{8,}={0,2})*")
_HEX = re.compile(r"(?<![A-Za-z0-9])(?:[0-9a-fA-F]{2}[ :]?){8,}(?![A-Za-z0-9])")
_ESCAPES = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|&#x?[0-9a-fA-F]{2,5};|%[0-9a-fA-F]{2}){4,}")
_ONE_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|&#x([0-9a-fA-F]{2,5});|&#(\d{2,5});")
_BITS = re.compile(r"(?<!\d)(?:[01]{8}\s?){4,}(?!\d)")
_SPACED = re.compile(r"(?<![^\s\"'`(:=])(?:[^\s\x00][ \u00a0._|*-]{1,4}){6,}[^\s\x00](?![^\s\"'`).,;:!?])")
_GAP = re.compile(r"(?<=[^\s._|*-])[ \u00a0._|*-]{1,4}(?=[^\s])|(?<=[ \u00a0])[._|*-](?=[ \u00a0])")
_LEET_WORD = re.compile(r"(?<![\w-])(?=[a-z@$]*[0134578@$])(?=[\d@$]*[a-z])[a-z0-9@$]{2,14}(?![\w-])")
_LITERALS = re.compile(
    r"[\"'`]([^\"'`\n]{1,200})[\"'`]\s*(?:\+|\.|;|,|&|and|then)?\s*(?:\w{1,12}\s*=\s*)?(?=[\"'`])"
)


@dataclass(frozen=True, slots=True)
class Peeled:
    """`text` is what `start:end` of the shown text spells; `places` maps back one by one where it can."""

    kind: str
    text: str
    start: int
    end: int
    places: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Of the shown text: exactly what was found, or the whole carrier if it was encoded."""
        if self.places is None or start >= end:
            return self.start, self.end
        return self.places[start], self.places[end - 1] + 1


@lru_cache(maxsize=4)
def encoded(shown: str) -> tuple[Peeled, ...]:
    """What is encoded in the text; remembered for the last few texts, since both scans ask."""
    return tuple(_encoded(shown))


def _encoded(shown: str) -> Iterator[Peeled]:
    """Base64, hexadecimal, escapes and bits that decode to text a person could read."""
    for match in _BASE64.finditer(shown):
        text = _from_base64(match[0])
        if text:
            yield Peeled("base64", text, match.start(), match.end())
    for match in _HEX.finditer(shown):
        text = _readable(bytes.fromhex(re.sub("[ :]", "", match[0])))
        if text:
            yield Peeled("hex", text, match.start(), match.end())
    for match in _ESCAPES.finditer(shown):
        plain = unquote(_ONE_ESCAPE.sub(_escaped, match[0]))
        yield Peeled("escapes", plain, match.start(), match.end())
    for match in _BITS.finditer(shown):
        bits = re.sub(r"\s", "", match[0])
        text = _readable(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8)))
        if text:
            yield Peeled("bits", text, match.start(), match.end())


@lru_cache(maxsize=4)
def rejoined(shown: str) -> tuple[Peeled, ...]:
    """What is taken apart in the text; remembered as `encoded` is."""
    return tuple(_rejoined(shown))


def _rejoined(shown: str) -> Iterator[Peeled]:
    """Letter-spaced runs closed up, and string literals that are added to one another."""
    if _SPACED.search(shown):
        kept = [True] * len(shown)
        for match in _SPACED.finditer(shown):
            for gap in _GAP.finditer(shown, match.start() + 1, match.end() - 1):
                is_spaced = " " in gap[0] or "\u00a0" in gap[0]
                for index in range(*gap.span()):
                    kept[index] = is_spaced and shown[index] not in " \u00a0"
                if gap[0].isspace() and len(gap[0]) > 1:
                    kept[gap.start()] = True
        places = tuple(index for index, keep in enumerate(kept) if keep)
        yield Peeled("spaced", "".join(shown[i] for i in places), 0, len(shown), places)
    if len(_LITERALS.findall(shown)) >= 1:
        quoted = [(m.start(1), m.end(1)) for m in re.finditer(r"[\"'`]([^\"'`\n]{1,200})[\"'`]", shown)]
        places = tuple(index for start, end in quoted for index in range(start, end))
        yield Peeled("literals", "".join(shown[i] for i in places), 0, len(shown), places)


def unleet(folded: str) -> Iterator[Peeled]:
    """Digits and signs read as the letters they stand for, in words that have both."""
    words = list(_LEET_WORD.finditer(folded))
    if len(words) >= 2 and LEET_WORD.search(folded):
        chars = list(folded)
        for word in words:
            chars[word.start() : word.end()] = word[0].translate(LEET)
        yield Peeled("leet", "".join(chars), 0, len(folded), tuple(range(len(folded))))


def turned(shown: str) -> Iterator[Peeled]:
    """Read backwards, by ROT13, and out of pig latin."""
    size = len(shown)
    yield Peeled("reversed", shown[::-1], 0, size, tuple(range(size - 1, -1, -1)))
    yield Peeled("rot13", codecs.encode(shown, "rot13"), 0, size, tuple(range(size)))
    latin = re.sub(
        r"\b([a-z]+?)([bcdfghjklmnpqrstvwxz]{1,3})ay\b",
        r"\2\1",
        re.sub(r"\b([aeiou][a-z]*)(?:way|yay)\b", r"\1", shown.lower()),
    )
    yield Peeled("pig_latin", latin, 0, size)


def _from_base64(run: str) -> str:
    compact = re.sub(r"\s", "", run).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return _readable(base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True))
    except (binascii.Error, ValueError):
        return ""


def _readable(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    letters = sum(ch.isalnum() or ch in " \n:/@.,'\"=-_!" for ch in text)
    return (
        text if len(text) >= 4 and text.isprintable() | ("\n" in text) and letters >= len(text) * 0.75 else ""
    )


def _escaped(match: re.Match[str]) -> str:
    code = next(int(group, 10 if index == 3 else 16) for index, group in enumerate(match.groups()) if group)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
