"""A stretch of text as its concepts, and the questions that rules ask of it."""

import re
from dataclasses import dataclass

from dw_learning.scan import concepts as c
from dw_learning.scan.reading import Mark

_NEGATED = (
    c.IGNORE
    | c.REVEAL
    | c.SEND
    | c.ASK
    | c.OBEY
    | c.GRANT
    | c.SKIP
    | c.DISABLE
    | c.EDIT
    | c.DELETE
    | c.GATE
    | c.AUTO
)
_CLAUSE = re.compile(r"[.!?;:,\n。！？、；：，]")
_STOP = re.compile(r"[.!?…]+\s|\n\s*\n|[。！？]")
_QUOTED = re.compile(
    r"\"[^\"\n]{4,400}\"|«[^»\n]{4,400}»|'(?<![a-z]')[^'\n]{8,400}'(?![a-z])|「[^」\n]{3,400}」|『[^』\n]{3,400}』|`[^`\n]{4,400}`|《[^》\n]{3,200}》"
)
_ASKS = re.compile(
    r"[?？][\s\"')]*$|^\s*(?:¿|who|what(?! (?:i|he|she|we|they|[a-z]+ (?:says?|writes?|wants?|tells?|asks?|decides?))\b)|why|how|which|is|are|does|do we|did|has|have we|should we|wer|was(?! (?:ich|er|sie|herr|frau|[a-z]+ (?:sagt|schreibt|will))\b)|wie|warum|gibt es|хто|що|як|чому|чи|"
    r"кто|что|как|почему|quien|por que|tai sao|lam sao|qui|pourquoi|kto|dlaczego)\b"
)
_BEGS = re.compile(
    r"^\W*(?:hey |hi |ok |so |and )?(?:can|could|would|will) you\b|^\W*(?:please|kannst du|konntest du|puedes|podrias|можеш|можешь|pouvez-vous|peux-tu|czy mozesz|voce pode|puoi)\b"
)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """`said` is in order of place; all offsets are of the whole folded text."""

    text: str
    start: int
    said: tuple[Mark, ...]
    mask: int
    quotes: tuple[Span, ...]
    is_question: bool

    def near(self, first: int, second: int, most: int) -> Span | None:
        """The closest two different mentions at most so many characters apart."""
        best: Span | None = None
        least = most + 1
        seconds = [mark for mark in self.said if mark.bits & second]
        for one in self.said:
            if not one.bits & first:
                continue
            for other in seconds:
                if other is one or (other.start == one.start and other.end == one.end):
                    continue
                apart = max(other.start - one.end, one.start - other.end)
                if apart >= least or (apart > 2 and most < 70 and self._breaks(one, other)):
                    continue
                if apart >= 0 or one.start == other.start or one.end == other.end:
                    best, least = (min(one.start, other.start), max(one.end, other.end)), apart
        return best

    def _breaks(self, one: Mark, other: Mark) -> bool:
        """Whether a sentence ends between them."""
        left, right = (one, other) if one.end <= other.start else (other, one)
        return _STOP.search(self.text, left.end - self.start, right.start - self.start) is not None

    def around(self, bits: int) -> Span | None:
        """From the first to the last mention."""
        places = [mark for mark in self.said if mark.bits & bits]
        return (min(m.start for m in places), max(m.end for m in places)) if places else None

    def is_quoted(self, span: Span) -> bool:
        return any(start <= span[0] and span[1] <= end for start, end in self.quotes)


def block(text: str, start: int, said: list[Mark], given: int = 0) -> Block:
    """The stretch with negated actions taken back: `never share` shares nothing. `given` is known beforehand."""
    kept = _without_negated(text, start, said)
    mask = given
    for mark in kept:
        mask |= mark.bits
    quotes = tuple((m.start() + start, m.end() + start) for m in _QUOTED.finditer(text))
    return Block(
        text,
        start,
        tuple(kept),
        mask,
        quotes,
        _ASKS.search(text) is not None and not (_BEGS.search(text) and not mask & c.TALK),
    )


def without_quotes(folded: str) -> str:
    """The same length, with spaces for what stands in quotes."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), folded)


def derivable(may: int) -> int:
    """Concepts that a block with these may have besides: what negation makes of them."""
    bits = 0
    if may & c.COMPLY and may & (c.NEG | c.DISABLE):
        bits |= c.IGNORE | c.DEFY
    if may & c.CONTROL and may & c.NEG:
        bits |= c.WITHOUT
    return bits


def _without_negated(text: str, start: int, said: list[Mark]) -> list[Mark]:
    lifts = [mark for mark in said if mark.bits & (c.WITHOUT | c.IGNORE)]
    negations = [
        mark
        for mark in said
        if mark.bits & c.NEG and not any(lift.start <= mark.start and mark.end <= lift.end for lift in lifts)
    ]
    kept: list[Mark] = []
    undone: Mark | None = None
    skips = {mark.start for mark in said if mark.bits & c.SKIP}
    for mark in said:
        if mark.start in skips and any(
            _negates(neg, mark, text, start) for neg in negations if neg.end <= mark.start
        ):
            kept.append(Mark(mark.bits & ~(c.SKIP | c.WITHOUT | c.IGNORE) | c.NEG, mark.start, mark.end))
            continue
        if mark.bits & c.NEED and any(_cancels(lift, mark, text, start) for lift in lifts):
            mark = Mark(mark.bits & ~c.NEED, mark.start, mark.end)
        if mark.bits & c.COMPLY and any(_undoes(other, mark, text, start) for other in said):
            mark = Mark(mark.bits & ~c.OBEY | c.IGNORE | c.DEFY, mark.start, mark.end)
            kept.append(mark)
            continue
        if mark.bits & c.CONTROL and any(
            _negates(neg, mark, text, start) for neg in negations if neg.end <= mark.start
        ):
            kept.append(Mark(c.WITHOUT, mark.start, mark.start))
        if _is_taken_back(mark, negations, undone, text, start):
            undone = mark
            mark = Mark(_taken_back(mark.bits), mark.start, mark.end)
        kept.append(mark)
    return kept


def _is_taken_back(mark: Mark, negations: list[Mark], undone: Mark | None, text: str, start: int) -> bool:
    """Negated itself, or going on with what was: `never send tokens by mail`."""
    hit = mark.bits & _NEGATED
    if not hit or mark.bits & (c.NEG | c.WITHOUT | c.CONCEAL):
        return False
    if undone is not None and hit & undone.bits & (c.SEND | c.REVEAL):
        gap = text[undone.end - start : mark.start - start]
        if len(gap) <= 40 and _CLAUSE.search(gap) is None:
            return True
    return any(_negates(negation, mark, text, start) for negation in negations)


def _taken_back(bits: int) -> int:
    hit = bits & _NEGATED
    left = bits & ~_NEGATED
    return left | c.NEG if hit & (c.GATE | c.ASK | c.SKIP) and not hit & (c.SEND | c.REVEAL) else left


def _undoes(other: Mark, comply: Mark, text: str, start: int) -> bool:
    """`do not apply`, `stop following`, `beachte … nicht`: to comply no more is to ignore."""
    if not other.bits & (c.NEG | c.DISABLE) or other.bits & c.COMPLY:
        return False
    left, right = (other, comply) if other.end <= comply.start else (comply, other)
    gap = text[left.end - start : right.start - start]
    most = 20 if left is other else 60
    return right.start >= left.end and len(gap) <= most and _CLAUSE.search(gap) is None


def _cancels(lift: Mark, need: Mark, text: str, start: int) -> bool:
    """`brauchen keine Freigabe` demands nothing; `needs approval, no exceptions` still does."""
    if lift.start <= need.start and need.end <= lift.end:
        return True
    left, right = (lift, need) if lift.end <= need.start else (need, lift)
    gap = text[left.end - start : right.start - start]
    return bool(lift.bits & c.WITHOUT) and len(gap) <= 24 and _CLAUSE.search(gap) is None


def _negates(negation: Mark, mark: Mark, text: str, start: int) -> bool:
    if negation.end <= mark.start:
        gap = text[negation.end - start : mark.start - start]
        return len(gap) <= 14 and len(gap.split()) <= 1 and _CLAUSE.search(gap) is None
    gap = text[mark.end - start : negation.start - start]
    is_late = not text[negation.start - start : negation.end - start].isascii()
    return (
        negation.start >= mark.end
        and is_late
        and len(gap) <= 6
        and " " not in gap.strip()
        and _CLAUSE.search(gap) is None
    )
