"""What the org's word overrules in packs (C19, R173): the pack follows precedence, and a person is asked once. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from dw_learning.pack import LeftOut, Ordered
from dw_learning.signals import same_signal

MAX_CONFLICTS: Final = 50
"""Of one role-agent at a time, nearest to the pack first; once these are settled, the next ones are seen."""


class Conflict(NamedTuple):
    """A role-agent's memory that says otherwise than the org's on the same topic."""

    own: str
    org: str


def conflicts_of(ordered: Ordered) -> tuple[Conflict, ...]:
    """All conflicts among the memories of one role-agent, in the order of the pack. Two that say the same are none."""
    texts = {memory.id: memory.text for memory in ordered.memories[: ordered.own_from]}
    found: list[Conflict] = []
    for memory in ordered.memories[ordered.own_from :]:
        stands = ordered.org_words.get((memory.layer, memory.key)) if memory.subject is None else None
        if stands is not None and not same_signal(memory.text, texts[stands]):
            found.append(Conflict(memory.id, stands))
            if len(found) == MAX_CONFLICTS:
                break
    return tuple(found)


def conflicts_in(dropped: Iterable[LeftOut]) -> tuple[Conflict, ...]:
    """Those that a pack lists by itself."""
    return tuple(
        Conflict(left["id"], left["instead"])
        for left in dropped
        if left["reason"] == "conflict" and "instead" in left
    )


def question_key(conflict: Conflict, own_hash: bytes, org_hash: bytes) -> str:
    """One question for each pair of texts: an edit of either is another conflict."""
    texts = hashlib.sha256(own_hash + org_hash).hexdigest()[:16]
    return f"conflict:{conflict.own}:{conflict.org}:{texts}"
