"""Text that a person does not see but a model reads; real joiners, flags and emoji are told apart."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import HIDDEN, Hit
from dw_learning.scan.views import TO_LATIN, View

_SUSPECT = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180b-\u180f\u200b-\u200d\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_TAGS = re.compile(f"{_FLAG}|(?P<tags>[\U000e0000-\U000e007f]+)")
_SELECTORS = re.compile(
    "(?P<run>[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,})|(?P<lone>[A-Za-z ,.][\ufe00-\ufe0f])"
)
_ZERO = "\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0"
_ZERO_RUN = re.compile(f"[{_ZERO}]{{6,}}")
_BRAILLE_OR_FILLER = re.compile("[\u2800\u3164]{6,}")
_LACED = re.compile(f"(?:[^\\W_][ ]?[{_ZERO}]{{1,3}}[ ]?){{4,}}[^\\W_]")
_JOINING = re.compile("[\u0590-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af]")
_OVERRIDE = re.compile("[\u202d\u202e]([^\u202c-\u202e\n]*)\u202c?")
_MIXED_WORD = re.compile(r"[A-Za-zЀ-ӿͰ-Ͽ]*(?:[A-Za-z][Ѐ-ӿͰ-Ͽ]|[Ѐ-ӿͰ-Ͽ][A-Za-z])[A-Za-zЀ-ӿͰ-Ͽ]*")
_RUNS = re.compile(r"[A-Za-z]+|[Ѐ-ӿͰ-Ͽ]+")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_CONCEAL = re.compile(r"\x1b\[(?:\d+;)*8(?:;\d+)*m([^\x1b]*)")


def scan_hidden(text: str, seen: View) -> tuple[Hit, ...]:
    """Hits in which the invisible carries or changes text; their span is the carrier."""
    hits = [_hit("concealed", m, 0.95) for m in _CONCEAL.finditer(text)] if "\x1b" in text else []
    if text.isascii():
        return tuple(hits)
    if seen.origin is not None and _SUSPECT.search(text) is not None:
        hits += [*_tags(text), *_selectors(text), *_zero_width(text)]
        hits += [_hit("bidi", m, 0.95) for m in _OVERRIDE.finditer(text) if re.search(r"[^\W\d_]{2}", m[1])]
    if seen.is_mixed:
        hits += _look_alikes(text)
    return tuple(hits)


def payloads(text: str) -> Iterator[tuple[str, int, int]]:
    """What hidden carriers spell, decoded, with the span of each carrier."""
    if "\x1b" in text:
        for match in _CONCEAL.finditer(text):
            yield match[1], match.start(), match.end()
    if text.isascii() or _SUSPECT.search(text) is None:
        return
    for match in _TAGS.finditer(text):
        if match["tags"]:
            yield "".join(chr(ord(c) - 0xE0000) for c in match[0] if ord(c) >= 0xE0020), *match.span()
    for match in _SELECTORS.finditer(text):
        if match["run"]:
            yield _selector_bytes(match[0]).decode("utf-8", "ignore"), *match.span()
    for match in _OVERRIDE.finditer(text):
        yield match[1][::-1], *match.span()


def _hit(rule: str, match: re.Match[str], confidence: float) -> Hit:
    return Hit(f"{HIDDEN}{rule}", "hidden_unicode", match.start(), match.end(), confidence)


def _tags(text: str) -> Iterator[Hit]:
    for match in _TAGS.finditer(text):
        if match["tags"]:
            yield _hit("tags", match, 0.97 if len(match[0]) > 2 else 0.7)


def _selectors(text: str) -> Iterator[Hit]:
    lone: list[re.Match[str]] = []
    for match in _SELECTORS.finditer(text):
        if match["run"]:
            if len(match[0]) > 3 or _selector_bytes(match[0]).isalnum():
                yield _hit("variation_selectors", match, 0.97 if len(match[0]) > 3 else 0.7)
        else:
            lone.append(match)
    if len(lone) >= 4:
        yield Hit(f"{HIDDEN}variation_selectors", "hidden_unicode", lone[0].start(), lone[-1].end(), 0.9)


def _selector_bytes(run: str) -> bytes:
    codes = (ord(c) for c in run)
    return bytes(c - 0xFE00 if c < 0xE0000 else (c - 0xE0100 + 16) & 0xFF for c in codes)


def _zero_width(text: str) -> Iterator[Hit]:
    """A run of them is a code of its own; one between any two letters breaks the words for a filter."""
    for match in _ZERO_RUN.finditer(text):
        if _BRAILLE_OR_FILLER.fullmatch(match[0]) is None:
            yield _hit("zero_width_run", match, 0.9)
    for match in _LACED.finditer(text):
        if _JOINING.search(match[0]) is None:
            yield _hit("zero_width_laced", match, 0.92)


def _look_alikes(text: str) -> Iterator[Hit]:
    """Words that are Latin but for borrowed letters; a local suffix on a Latin name is a habit, not a trick."""
    found = [m for m in _MIXED_WORD.finditer(text) if _imitates(m[0])]
    if not found:
        return
    sure = len(found) >= 2 and len(_LATIN_WORD.findall(text)) >= 1
    for match in found:
        yield _hit("look_alike", match, 0.92 if sure else 0.6)


def _imitates(word: str) -> bool:
    if len(word) < 4 or not word.translate(TO_LATIN).isascii():
        return False
    runs = _RUNS.findall(word)
    foreign = sum(len(run) for run in runs if not run.isascii())
    if len(runs) == 2:
        tail_is_suffix = runs[0].isascii() and (runs[0].isupper() or len(runs[1]) <= 3)
        return not tail_is_suffix and foreign < len(word) / 2
    return foreign <= len(word) * 0.75
