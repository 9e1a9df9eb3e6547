"""One text made fit to travel or to be kept. What every way in calls: `clean_steps` where others wait for the same
thread, `cleaned` elsewhere, and `examine` where nothing may be redacted behind somebody's back."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from dw_learning.scan.hits import PLACEHOLDER, Hit, is_rejecting, is_secret, merged
from dw_learning.scan.slices import scan_long, scan_slices

_ROUNDS = 3
_SHORT = 400


@dataclass(frozen=True, slots=True)
class Taken:
    """A secret that was taken out: its type, and where its placeholder stands in the cleaned text."""

    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cleaned:
    """`suspect` says that an injection or hidden text was found; it is left in place and only judged (C25)."""

    text: str
    taken: tuple[Taken, ...]
    suspect: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found over several texts: `secrets` never may be kept (C24, C53), `attack` is refused, and
    `suspect` makes the thing sensitive, for a person to decide (C25)."""

    secrets: tuple[Hit, ...]
    suspects: tuple[Hit, ...]

    @property
    def is_attack(self) -> bool:
        return is_rejecting(self.suspects)

    @property
    def is_refused(self) -> bool:
        """Whether to refuse the write: nothing here may be stored, published or shown as it is."""
        return bool(self.secrets) or self.is_attack

    @property
    def is_suspect(self) -> bool:
        return bool(self.suspects)

    @property
    def types(self) -> tuple[str, ...]:
        """The kinds found, sorted, without the words: what a refusal, a log or an audit event may say."""
        return tuple(sorted({hit.type for hit in (*self.secrets, *self.suspects)}))


OPAQUE = "secret.opaque_token"


def examine(*texts: str | None) -> Finding:
    """Both scans over all that somebody wants to store (memory, skill, soul, persona, feedback, note, query).

    Spans are of the text in which they were found. Texts are scanned each by itself and then joined, so that
    what was spread over title, description and body is found too.
    """
    given = [text for text in texts if text]
    hits = [hit for text in given for hit in scan_long(text)]
    if len(given) > 1 and not hits:
        hits += scan_long("\n".join(given))
    return Finding(
        tuple(hit for hit in hits if is_secret(hit)), tuple(hit for hit in hits if not is_secret(hit))
    )


_JOINTS = re.compile(r"[-_./:#|]")


def is_credential(name: str) -> bool:
    """Does something that names a thing (an id, a channel, a model) hold a credential of a known form? Random strings
    are let through: that is what ids look like."""
    apart = _JOINTS.sub(" ", name)  # m-AKIA…: what stands before a key does not hide it
    return any(hit.rule != OPAQUE for one in {name, apart} for hit in scan_long(one) if is_secret(hit))


def clean_steps(
    text: str, *, most_bytes: int, most_chars: int | None = None, judge: bool = True, also: Sequence[Hit] = ()
) -> Generator[None, None, Cleaned]:
    """Redacts in steps of a few milliseconds at most, then keeps to the limits; no placeholder is cut in two.

    Without `judge`, where the words are not the speaker's own, nothing is said about injections. `also` are secrets
    that the caller found.
    """
    taken: tuple[Taken, ...] = ()
    suspect = False
    for turn in range(_ROUNDS):
        hits = yield from _steps(text, judge and turn == 0)
        suspect = suspect or any(not is_secret(hit) for hit in hits)
        secrets = [*(also if turn == 0 else ()), *(hit for hit in hits if is_secret(hit))]
        if not secrets:
            break
        text, taken = _replaced(text, secrets, taken)
        if len(text) <= _SHORT:
            break
    text = shortened(text, most_bytes, most_chars)
    return Cleaned(text, tuple(one for one in taken if one.end <= len(text)), suspect)


def cleaned(text: str, *, most_bytes: int, most_chars: int | None = None, judge: bool = True) -> Cleaned:
    """The same at once."""
    steps = clean_steps(text, most_bytes=most_bytes, most_chars=most_chars, judge=judge)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Cleaned = done.value
            return result


def shortened(text: str, most_bytes: int, most_chars: int | None = None) -> str:
    """Within the limits, whole characters and whole placeholders only."""
    kept = text if most_chars is None else text[:most_chars]
    encoded = kept.encode("utf-8", "surrogatepass")
    if len(encoded) > most_bytes:
        kept = encoded[:most_bytes].decode("utf-8", "ignore")
    if len(kept) == len(text):
        return text
    for match in PLACEHOLDER.finditer(text, max(0, len(kept) - 64), len(kept) + 64):
        if match.start() < len(kept) < match.end():
            return text[: match.start()]
    return kept


def _steps(text: str, judge: bool) -> Generator[None, None, tuple[Hit, ...]]:
    slices = scan_slices(text, judge=judge)
    while True:
        try:
            next(slices)
        except StopIteration as done:
            hits: tuple[Hit, ...] = done.value
            return hits
        yield


def _replaced(text: str, secrets: Sequence[Hit], taken: tuple[Taken, ...]) -> tuple[str, tuple[Taken, ...]]:
    """Each secret as its placeholder, and where those and the earlier ones stand now."""
    spans = [(hit.start, hit.end, hit.type) for hit in merged(secrets)]
    earlier = [
        (one.start, one.end, one.type)
        for one in taken
        if not any(start < one.end and one.start < end for start, end, _ in spans)
    ]
    parts: list[str] = []
    now: list[Taken] = []
    at = size = 0
    for start, end, kind in sorted((*spans, *earlier)):
        placeholder = f"[redacted:{kind}]"
        parts += (text[at:start], placeholder)
        size += start - at
        now.append(Taken(kind, size, size + len(placeholder)))
        size += len(placeholder)
        at = end
    parts.append(text[at:])
    return "".join(parts), tuple(now)
