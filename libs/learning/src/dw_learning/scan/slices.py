"""Long texts in slices, so that nobody who shares a thread with the scan has to wait for the whole of it."""

import re
from collections.abc import Generator

from dw_learning.scan.hits import PLACEHOLDER, Hit, merged
from dw_learning.scan.injection import scan_injection
from dw_learning.scan.secrets import scan_secrets
from dw_learning.scan.shapes import key_blocks

_RUN = re.compile(r"[A-Za-z0-9+/=_.~%-]{1,8192}")
SLICE = 700
OVERLAP = 250


def scan_text(text: str) -> tuple[Hit, ...]:
    """Secrets and injections of one text, in order of place; secrets never overlap one another."""
    return tuple(sorted((*scan_secrets(text), *scan_injection(text)), key=_place))


def scan_slices(
    text: str, size: int = SLICE, overlap: int = OVERLAP, *, judge: bool = True
) -> Generator[tuple[Hit, ...], None, tuple[Hit, ...]]:
    """Yields what each step found, secrets and then injections of a slice of at most `size`, and returns all of it
    without repetition. Without `judge` it looks for secrets only.

    A key block may be longer than a slice: it is sought in the whole text first, which is cheap. A secret that
    reaches the end of its slice goes on to where its run of characters ends. Spans are of the whole text.
    Whoever runs it on an event loop lets others go on between two steps.
    """
    whole = tuple(key_blocks(text)) if len(text) > size else ()
    secrets: list[Hit] = list(whole)
    others: list[Hit] = []
    if whole:
        yield whole
    start = 0
    while True:
        end = _cut(text, start + size)
        piece = text[start:end]
        hits = tuple(_grown(_moved(hit, start), end, text) for hit in scan_secrets(piece))
        secrets += hits
        yield hits
        if judge:
            hits = tuple(_moved(hit, start) for hit in scan_injection(piece))
            others += hits
            yield hits
        if end >= len(text):
            break
        start = max(start + 1, _cut(text, end - overlap))
    return tuple(sorted((*merged(secrets), *merged(others)), key=_place))


def _moved(hit: Hit, by: int) -> Hit:
    return Hit(hit.rule, hit.type, hit.start + by, hit.end + by, hit.confidence)


def _grown(hit: Hit, limit: int, text: str) -> Hit:
    """A token longer than its slice, as a whole."""
    if hit.end < limit or limit >= len(text) or text[limit - 1].isspace():
        return hit
    rest = _RUN.match(text, limit)
    return Hit(hit.rule, hit.type, hit.start, rest.end(), hit.confidence) if rest else hit


def scan_long(text: str, size: int = SLICE) -> tuple[Hit, ...]:
    """The same hits where nobody waits: all slices at once."""
    slices = scan_slices(text, size)
    while True:
        try:
            next(slices)
        except StopIteration as done:
            found: tuple[Hit, ...] = done.value
            return found


def _cut(text: str, at: int) -> int:
    """Just after the last space before the place, if there is one nearby; never inside a placeholder."""
    if at >= len(text):
        return len(text)
    space = max(text.rfind(" ", at - 200, at), text.rfind("\n", at - 200, at))
    if space > 0:
        return space + 1
    for match in PLACEHOLDER.finditer(text, max(0, at - 64), at + 64):
        if match.start() < at < match.end():
            return match.end()
    return at


def _place(hit: Hit) -> tuple[int, int]:
    return hit.start, hit.end
