"""Use case: numbers of the inbox (D45), and what is in force for a role-agent, in words (D38)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import Learning
from dw_contracts.http.numbers import (
    AgentToday,
    ChannelPolicy,
    DecidedNumbers,
    EffectivePolicy,
    InboxNumbers,
    PendingNumbers,
    PolicyLine,
    SavedNumbers,
)
from dw_learning.authority import may_see
from dw_learning.decision.facts import AgentFacts, Caps
from dw_learning.effective import InForce, caps_words, in_force, rule_words
from dw_learning.explain import MODE_WORDS
from dw_learning.policy_rules import Rule
from dw_panel.inbox import scope_of
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, denied
from dw_runtime import Handle, ProblemError
from dw_store.database import Database
from dw_store.numbers import Numbers, agent_and_channels, count_inbox
from dw_store.rules import rules_of

AGES = ("under_1_day", "under_3_days", "under_7_days", "under_14_days", "older")


class InboxFigures:
    """Admins see the org, managers their role-agents."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def numbers(self, signed: Signed, agent: UUID | None, days: int) -> InboxNumbers:
        """Of the last days; what waits, of this moment."""
        if not signed.person.is_admin and not signed.person.manages:
            raise denied("not_yours")
        now = self._clock()
        since = now - timedelta(days=days)
        async with self._database().transaction([signed.org_id]) as tx:
            scope = await scope_of(tx, signed, agent)
            counted = await count_inbox(tx, signed.org_id, scope, since, now)
        return _shown(counted, since, now)

    async def policy(self, signed: Signed, agent: UUID) -> EffectivePolicy:
        """For whoever may see the role-agent's inbox. The caps are the default ones of policy's settings, but for
        the role-agent's own."""
        async with self._database().transaction([signed.org_id]) as tx:
            row, channels = await agent_and_channels(tx, signed.org_id, agent)
            if row is None or not may_see(signed.person, agent):
                raise ProblemError(NO_SUCH_AGENT)
            rules = (await rules_of(tx, [signed.org_id])).get(signed.org_id, [])
        return _in_words(row, channels, rules, self._clock())


def _shown(counted: Numbers, since: datetime, now: datetime) -> InboxNumbers:
    decided, saved, pending = counted.decided, counted.saved, counted.pending
    return InboxNumbers(
        since=since,
        until=now,
        pending=PendingNumbers(
            **{name: pending[name] for name in ("total", "overdue", "escalated", "unseen")},
            by_age={name: pending[name] for name in AGES},
        ),
        decided=DecidedNumbers(
            **{name: decided[name] for name in ("approved", "rejected", "expired", "overridden", "undone")},
            approval_rate=_share(decided["approved"], decided["approved"] + decided["rejected"]),
            median_seconds=decided["median_seconds"],
            rejected_by_reason=counted.reasons,
        ),
        saved=SavedNumbers(
            **{name: saved[name] for name in ("auto_saved", "reverted", "capped")},
            revert_rate=_share(saved["reverted"], saved["auto_saved"]),
        ),
        agents=tuple(
            AgentToday(
                role_agent_id=row["id"],
                **{name: row[name] for name in ("code", "auto_saved_today", "open_items", "unseen_items")},
            )
            for row in counted.agents
        ),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _in_words(row: Any, channels: Sequence[Any], rules: Sequence[Rule], now: datetime) -> EffectivePolicy:
    facts = AgentFacts(
        row["id"],
        row["status"] == "active",
        row["learning_enabled"],
        row["skill_learning_enabled"],
        row["auto_memory_enabled"],
        row["auto_memory_require_verified"],
    )
    caps = Caps() if row["open_items"] is None else replace(Caps(), open_items=row["open_items"])
    settings = {channel["learning"] for channel in channels}
    by_setting = {name: in_force(facts, Learning(name), rules, caps, now) for name in settings}
    return EffectivePolicy(
        agent=row["code"],
        mode=facts.mode,
        mode_words=MODE_WORDS[facts.mode],
        is_learning=facts.active and facts.learning_enabled,
        channels=tuple(
            ChannelPolicy(
                channel=channel["code"],
                learning=channel["learning"],
                lines=tuple(map(_line, by_setting[channel["learning"]])),
            )
            for channel in channels
        ),
        rules=rule_words(rules),
        caps=caps_words(caps),
    )


def _line(found: InForce) -> PolicyLine:
    return PolicyLine(sender=found.sender, sample=found.sample, outcome=found.outcome, words=found.words)
