"""Use case: the org's policy rules, tried in words and on what is known before they are saved (R107 to R117, C40)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.learning import Acted, NewRule, RuleList, RulePreview, RuleView
from dw_contracts.http.problem import FieldError
from dw_learning.authority_acts import may_administer
from dw_learning.policy_rules import Rule, faults_of, first_match, in_words, ordered
from dw_panel.item_checks import check_note
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_RULE, conflict, denied, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import rules as store
from dw_store.agent_acts import record_agent_denied
from dw_store.database import Database
from dw_store.memory_rows import Actor

EXAMPLES = 5


class Rules:
    """Admins' alone; whoever else tries is on record."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def list(self, signed: Signed) -> RuleList:
        """In the order in which they are asked (R117)."""
        await self._admins_only(signed, "rules")
        async with self._database().transaction([signed.org_id]) as tx:
            rows = {row["rule_id"]: row for row in await store.rule_rows(tx, signed.org_id)}
        rules = ordered(
            Rule(r["rule_id"], r["category"], r["condition"], r["action"], r["priority"])
            for r in rows.values()
        )
        return RuleList(rules=tuple(_view(rows[rule.rule_id]) for rule in rules))

    async def preview(self, signed: Signed, body: NewRule) -> RulePreview:
        """What it would mean, and which of today's memories it fits."""
        await self._admins_only(signed, "rules")
        _check(body)
        rule = Rule(UUID(int=0), body.category, body.condition, body.action, body.priority)
        async with self._database().transaction([signed.org_id]) as tx:
            known = await store.sample(tx, signed.org_id, body.category)
        now = self._clock()
        fits = [memory for memory, facts in known if first_match([rule], facts, now) is not None]
        words = in_words(body.category, body.condition, body.action)
        return RulePreview(words=words, matches=len(fits), examples=tuple(fits[:EXAMPLES]))

    async def add(self, signed: Signed, body: NewRule) -> RuleView:
        """It counts from the next decision on."""
        await self._admins_only(signed, "add_rule")
        _check(body)
        async with self._database().transaction([signed.org_id]) as tx:
            if len(await store.rule_rows(tx, signed.org_id)) >= store.MAX_RULES:
                raise conflict(f"an org has at most {store.MAX_RULES} rules")
            rule_id, _ = await store.add_rule(
                tx, signed.org_id, body.category, body.condition, body.action, body.priority, body.note,
                self._actor(signed),
            )  # fmt: skip
        return _view({"rule_id": rule_id, **body.model_dump()})

    async def remove(self, signed: Signed, rule_id: UUID) -> Acted:
        """It counts no more; it stays on record."""
        await self._admins_only(signed, "remove_rule")
        async with self._database().transaction([signed.org_id]) as tx:
            version = await store.remove_rule(tx, signed.org_id, rule_id, self._actor(signed))
        if version is None:
            raise ProblemError(NO_SUCH_RULE)
        return Acted(version=version)

    async def _admins_only(self, signed: Signed, act: str) -> None:
        if may_administer(signed.person) == "allowed":
            return
        async with self._database().transaction([signed.org_id]) as tx:
            await record_agent_denied(tx, signed.org_id, None, "admins_only", act, self._actor(signed))
        raise denied("admins_only")

    def _actor(self, signed: Signed) -> Actor:
        return Actor(signed.person.user_id, self._clock(), current_trace_id())


def _check(body: NewRule) -> None:
    check_note(f"{body.note}\n{body.category}")
    if faults := faults_of(body.category, body.condition):
        places = tuple(FieldError(at="condition", problem=fault) for fault in faults)
        raise unfit("the rule cannot be evaluated", places)


def _view(row: Any) -> RuleView:
    return RuleView(
        rule_id=row["rule_id"],
        category=row["category"],
        condition=row["condition"],
        action=row["action"],
        priority=row["priority"],
        note=row["note"],
        words=in_words(row["category"], row["condition"], row["action"]),
    )
