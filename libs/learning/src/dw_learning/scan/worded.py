"""What the wording adds to the rules: a hit where they have none, and a second opinion on their doubtful ones."""

from dw_learning.scan import concepts as c
from dw_learning.scan.block import without_quotes
from dw_learning.scan.hits import INJECTION, REJECT_FROM, Hit
from dw_learning.scan.kinds import CORE, kind_of
from dw_learning.scan.reading import glance
from dw_learning.scan.skim import Skim
from dw_learning.scan.views import fold
from dw_learning.scan.wording import THRESHOLD, Weighed, is_one_piece, most_of, score_of, telling, weigh

_MORE = (1.4, 1.0, 0.0)
"""What is asked beyond the threshold where no concept of attacks is named, or only one."""

_LONG = 60
_MORE_A_CHARACTER = 0.008
"""A longer stretch scores further from nothing by chance: what each character beyond the first ones asks."""

BY_WORDING = f"{INJECTION}wording"
"""The rule of a hit that no rule but the wording saw."""
_HARMLESS = -2.0
"""Below this the wording is so much that of ordinary work that a rule which only asks for a look stays silent."""

_FIRM = frozenset({"template_token", "image_leak"})


def worded(folded: str, may: int, found: list[Hit]) -> list[Hit]:
    """The hits of the rules over the visible text, completed by the wording's own or thinned by its doubt."""
    if found and all(map(_stands, found)):
        return found
    judged = _judged(folded, may)
    if not found and judged.score >= _asked(may, judged.end - judged.start):
        start, end = telling(folded, judged.start, judged.end)
        confidence = round(min(0.8, 0.5 + judged.score / 20), 2)
        return [Hit(BY_WORDING, kind_of(may), start, end, confidence)]
    if judged.score >= _HARMLESS:
        return found
    return [hit for hit in found if _stands(hit)]


def may_sound(first: Skim, text: str) -> bool:
    """Whether the wording could find fault where no rule does."""
    least = _asked(first.may, 0)
    if not first.may & c.TALK:
        if is_one_piece(text):
            return score_of(first.words, first.may) >= least
        if most_of(first.words, first.may) < least:
            return False
    return bool(worded(fold(text), first.may, []))


def _judged(folded: str, may: int) -> Weighed:
    """Where attacks are talked about, what stands in quotes is not the speaker's."""
    if not may & c.TALK:
        return weigh(folded, may)
    own = without_quotes(folded)
    return weigh(own, may if own == folded else glance(own))


def _asked(may: int, length: int) -> float:
    named = min(2, (may & CORE).bit_count())
    return THRESHOLD + _MORE[named] + _MORE_A_CHARACTER * max(0, length - _LONG)


def _stands(hit: Hit) -> bool:
    """Hiding and what only a machine writes is told by form: no wording makes it harmless."""
    return (
        hit.confidence >= REJECT_FROM
        or not hit.rule.startswith(INJECTION)
        or hit.rule.removeprefix(INJECTION) in _FIRM
    )
