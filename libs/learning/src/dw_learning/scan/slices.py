"""Long texts in slices, so that nobody who shares a thread with the scan has to wait for the whole of it."""

from collections.abc import Generator

from dw_learning.scan.hits import Hit, is_secret, merged
from dw_learning.scan.injection import scan_injection
from dw_learning.scan.secrets import scan_secrets
from dw_learning.scan.shapes import key_blocks

SLICE = 700
OVERLAP = 250


def scan_text(text: str) -> tuple[Hit, ...]:
    """Secrets and injections of one text, in order of place; secrets never overlap one another."""
    return tuple(sorted((*scan_secrets(text), *scan_injection(text)), key=_place))


def scan_slices(
    text: str, size: int = SLICE, overlap: int = OVERLAP
) -> Generator[tuple[Hit, ...], None, tuple[Hit, ...]]:
    """Yields the hits of each slice, at most `size` long, and returns all of them without repetition.

    A key block may be longer than a slice: it is sought in the whole text first, which is cheap. Spans are
    of the whole text. Whoever runs it on an event loop lets others go on between two slices.
    """
    whole = tuple(key_blocks(text)) if len(text) > size else ()
    secrets: list[Hit] = list(whole)
    others: list[Hit] = []
    if whole:
        yield whole
    start = 0
    while True:
        end = _cut(text, start + size)
        hits = tuple(
            Hit(hit.rule, hit.type, hit.start + start, hit.end + start, hit.confidence)
            for hit in scan_text(text[start:end])
        )
        secrets += [hit for hit in hits if is_secret(hit)]
        others += [hit for hit in hits if not is_secret(hit)]
        yield hits
        if end >= len(text):
            break
        start = _cut(text, end - overlap)
    return tuple(sorted((*merged(secrets), *merged(others)), key=_place))


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
    """Just after the last space before the place, if there is one nearby."""
    if at >= len(text):
        return len(text)
    space = max(text.rfind(" ", at - 200, at), text.rfind("\n", at - 200, at))
    return space + 1 if space > 0 else at


def _place(hit: Hit) -> tuple[int, int]:
    return hit.start, hit.end
