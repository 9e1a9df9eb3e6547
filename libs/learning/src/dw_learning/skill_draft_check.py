"""Whether what a model drafted may be shown as a proposal: the strict format, and nothing that nobody said. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dw_learning import scan
from dw_learning.scan.worded import BY_WORDING
from dw_learning.skill_draft import SECTIONS, is_whole, words_of
from dw_learning.skills.format import SkillDocument, read_skill
from dw_learning.skills.front import front_matter

MAX_DRAFT_CHARS: Final = 12_000
MOST_FAULTS: Final = 8
_FRONT: Final = front_matter("draft", "A draft.", "agent", "high")
_FRONT_LINES: Final = _FRONT.count("\n")
# What sends somebody somewhere, or counts: an address, a link, a host, a number of three digits or more.
_PLACES: Final = re.compile(
    r"https?://[^\s)>\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b|\d{3,}", re.IGNORECASE
)


def faults_of_draft(body: str, said: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with it, for the model that drafted it; empty if nothing is. `said` are the texts that it was
    drafted from."""
    if len(body) > MAX_DRAFT_CHARS:
        return (f"it has more than {MAX_DRAFT_CHARS} characters",)
    document = read_skill(_FRONT + body.strip() + "\n")
    if not isinstance(document, SkillDocument):
        return tuple(f"line {max(1, f.line - _FRONT_LINES)}: {f.problem}" for f in document[:MOST_FAULTS])
    faults = [
        f"the section {name} is empty"
        for name, text in zip(SECTIONS, document.sections, strict=True)
        if not text.strip()
    ]
    if not is_whole(body):
        faults.append("write one title, the four sections and no block of code, nothing else")
    known = "\n".join(said).casefold()
    if any(place.casefold().rstrip(".,;:") not in known for place in _PLACES.findall(body)):
        faults.append("it names an address, a link or a number that nobody said")
    if scan.scan_secrets(body):
        faults.append("it holds a secret")
    if _orders_the_machine(body) or _orders_the_machine(words_of(body)):
        faults.append("it gives orders to the machine")
    return tuple(faults[:MOST_FAULTS])


def _orders_the_machine(text: str) -> bool:
    """A draft is made of orders to people, so that wording alone says nothing here: a rule has to have seen it."""
    return any(hit.rule != BY_WORDING for hit in scan.scan_injection(text))
