"""Caps that were reached (C97, D21): a counter for alerts, and one warning a batch and role-agent."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Final, Literal
from uuid import UUID

from prometheus_client import CollectorRegistry, Counter

from dw_learning.decision.outcomes import Capped, Outcome, Propose
from dw_learning.decision.plan import Decided
from dw_runtime import log

CAPS_REACHED: Final = "dw_caps_reached"
Cap = Literal["daily_saves", "open_items", "unseen_items"]


def cap_of(outcome: Outcome) -> Cap | None:
    """Which cap stood in the way: a fact that waits because enough was saved today, an item that waits unseen, one that
    is turned away."""
    match outcome:
        case Capped():
            return "unseen_items"
        case Propose(published=False):
            return "open_items"
        case Propose(reason="cap"):
            return "daily_saves"
        case _:
            return None


class CapWatch:
    """In the process's own registry. No org or role-agent is a label: the warning and the audit log name them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._reached = Counter(
            CAPS_REACHED, "Things that a cap kept from being saved or shown", ("cap",), registry=registry
        )

    def saw(self, decided: Sequence[Decided]) -> None:
        """One batch."""
        found: Tally[tuple[UUID, UUID, Cap]] = Tally()
        for decision in decided:
            for effect in decision.effects:
                if (cap := cap_of(effect.outcome)) is not None:
                    detection = decision.detection
                    found[(detection.org_id, detection.role_agent_id, cap)] += 1
        for (org_id, agent, cap), count in found.items():
            self._reached.labels(cap).inc(count)
            log.warning("caps.reached", org_id=str(org_id), role_agent_id=str(agent), cap=cap, count=count)
