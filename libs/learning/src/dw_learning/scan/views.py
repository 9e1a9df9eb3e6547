"""A text as a reader sees it, with the way back to the offsets of the original.

`shown` has no invisible characters and no compatibility forms; `folded` is `shown` without case,
diacritics and look-alike letters, character for character, so that both share their indices.
"""

import re
import unicodedata
from dataclasses import dataclass

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_APART = re.compile("[\u1100-\u115e][\u1161-\u11a7][\u11a8-\u11ff]?|[\u3040-\u30ff][\u3099\u309a]")
MARKS = "\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff"
_STYLED = (
    "\u2070-\u209c\u2100-\u214f\u2160-\u2188\u2460-\u24ff\u3000-\u3001\u3300-\u33ff\ufb00-\ufb06\uff01-\uff9f"
    "\u00aa\u00b2\u00b3\u00b9\u00ba\u00a0\u2000-\u200a\u202f\u205f\u2025\u2026\U0001d400-\U0001d7ff"
    "\U0001f100-\U0001f1ff\ud800-\udfff"
)
_ODD = re.compile(f"[{INVISIBLE}{MARKS}{_STYLED}\u1100-\u11ff\u3099\u309a]")
_INVISIBLE_OR_MARK = re.compile(f"[{INVISIBLE}{MARKS}]")
_TWO_SCRIPTS = re.compile(r"[A-Za-z][Ѐ-ӿͰ-Ͽ]|[Ѐ-ӿͰ-Ͽ][A-Za-z]")
_LOCAL_WORD = re.compile(r"[A-Za-zЀ-ӿͰ-Ͽ]+")

TO_LATIN = str.maketrans(
    "авсԁеғԍһіїјкӏмпоорԛгѕтуԝхуьαβγεηικνορτυχωАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "abcdefghiijklmnoopqrstuwxyb" + "abyenikvoptuxw" + "abcehijkmopstxyabezhikmnoptyx",
)
_FROM_LATIN = str.maketrans("aceiopxyABCEHIKMOPTXYkmt", "асеіорхуавсенікмортхукмт")
_SPECIAL = {
    "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "ı": "i", "ð": "d", "þ": "t", "æ": "a", "œ": "o",
    "ß": "s", "’": "'", "‘": "'", "‚": "'", "ʼ": "'", "´": "'", "＇": "'", "“": '"', "”": '"', "„": '"',
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "。": ".", "、": ",", "：": ":", "・": " ",
    "ᴀ": "a", "ʙ": "b", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ꜰ": "f", "ɢ": "g", "ʜ": "h", "ɪ": "i", "ᴊ": "j",
    "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u",
    "ᴠ": "v", "ᴡ": "w", "ʏ": "y", "ᴢ": "z",
}  # fmt: skip


class _Fold(dict[int, str]):
    """One code point to one code point: lower case, base letter."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = _SPECIAL.get(char)
        if folded is None:
            lower = char.lower()
            base = unicodedata.normalize("NFKD", lower)[:1] if not _is_syllabic(code) else lower
            folded = (_SPECIAL.get(base) or base)[:1] or char
        self[code] = folded
        return folded


class _Shown(dict[str, str]):
    """One character to what is seen of it: nothing for the invisible, plain letters for styled ones."""

    def __missing__(self, char: str) -> str:
        if _INVISIBLE_OR_MARK.match(char):
            shown = ""
        elif 0x1F1E6 <= ord(char) <= 0x1F1FF:
            shown = chr(ord(char) - 0x1F1E6 + 97)
        else:
            shown = unicodedata.normalize("NFKC", char) or char
        self[char] = shown
        return shown


def _is_syllabic(code: int) -> bool:
    return 0x3040 <= code <= 0x30FF or 0xAC00 <= code <= 0xD7A3


_FOLD = _Fold()
_SHOWN = _Shown()


@dataclass(frozen=True, slots=True)
class View:
    """`origin[i]` is where the i-th shown character starts in the original; None when nothing moved.

    `is_mixed` says that letters of two scripts stand side by side somewhere.
    """

    shown: str
    folded: str
    origin: tuple[int, ...] | None
    size: int
    is_mixed: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's offsets of `shown[start:end]`, with what is hidden inside it."""
        if self.origin is None:
            return start, end
        stop = self.origin[end - 1] + 1 if end > start else self.origin[start]
        following = self.origin[end] if end < len(self.origin) else self.size
        return self.origin[start], following if end > start and following > stop else stop


def fold(text: str) -> str:
    """Lower case, base letters, one for one; the lexicon is folded by the same rule."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def is_plain(text: str, words: list[str]) -> bool:
    """Whether nothing in it is invisible, styled or put together; `words` are what stands between its spaces."""
    return " ".join(words) == text or _ODD.search(text) is None


def view(text: str) -> View:
    """The text as it reads; plain text costs no more than its lower case."""
    if text.isascii():
        return View(text, text.lower(), None, len(text))
    if _ODD.search(text) is None:
        folded = text.translate(_FOLD)
        is_mixed = _TWO_SCRIPTS.search(folded) is not None
        return View(text, _one_script(folded) if is_mixed else folded, None, len(text), is_mixed)
    chars: list[str] = []
    origin: list[int] = []
    whole = {m.start(): m for m in _APART.finditer(text)} if _APART.search(text) else {}
    done = 0
    for index, char in enumerate(text):
        if index < done:
            continue
        if index in whole:
            done = whole[index].end()
            chars.append(unicodedata.normalize("NFC", whole[index][0]))
            origin.append(index)
            continue
        shown = char if char.isascii() else _SHOWN[char]
        if shown:
            chars.append(shown)
            origin += [index] * len(shown)
    shown_text = "".join(chars)
    folded = shown_text.translate(_FOLD)
    is_mixed = _TWO_SCRIPTS.search(folded) is not None
    return View(shown_text, _one_script(folded) if is_mixed else folded, tuple(origin), len(text), is_mixed)


def _one_script(folded: str) -> str:
    """Each word that mixes scripts in the one script it imitates."""
    return _LOCAL_WORD.sub(_settle, folded)


def _settle(match: re.Match[str]) -> str:
    word = match[0]
    if word.isascii():
        return word
    latin = word.translate(TO_LATIN)
    if latin.isascii():
        return latin
    local = word.translate(_FROM_LATIN)
    return local if len(local) == len(word) else word
