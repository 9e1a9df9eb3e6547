"""An org's policy rules (R107 to R117). A rule that is taken away stays on record, disabled."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from dw_learning.policy_rules import Action, Rule, RuleFacts
from dw_store.audit import by_user, record
from dw_store.database import Tx
from dw_store.memory_rows import Actor, lock_owner

MAX_RULES: Final = 1_000
LIST: Final = """
SELECT r.org_id, r.rule_id, r.category, r.condition, r.action, r.priority, r.note
FROM dw_memory_policy_rules AS r
WHERE r.org_id = ANY ($1::uuid[]) AND r.enabled
ORDER BY r.org_id, r.priority DESC, r.created_at, r.rule_id
LIMIT 100000
"""
INSERT: Final = """
INSERT INTO dw_memory_policy_rules (rule_id, org_id, category, condition, action, priority, created_by, note, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
DISABLE: Final = """
UPDATE dw_memory_policy_rules SET enabled = FALSE, version = version + 1
WHERE org_id = $1 AND rule_id = $2 AND enabled
RETURNING category, condition, action, priority
"""
# What a new rule is tried on before it is saved.
SAMPLE: Final = """
SELECT m.id, m.category, m.confidence::float8 AS confidence, m.is_sensitive, m.risk, m.created_at, m.last_confirmed_at
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.status = 'active' AND ($2 = '*' OR m.category = $2)
ORDER BY m.created_at DESC, m.id
LIMIT 1000
"""


async def rules_of(tx: Tx, org_ids: Sequence[UUID]) -> dict[UUID, list[Rule]]:
    """Enabled rules by org: one statement for all of a batch."""
    found: dict[UUID, list[Rule]] = {}
    for row in await tx.fetch(LIST, list(org_ids)):
        rule = Rule(row["rule_id"], row["category"], row["condition"], row["action"], row["priority"])
        found.setdefault(row["org_id"], []).append(rule)
    return found


async def rule_rows(tx: Tx, org_id: UUID) -> list[Any]:
    """Enabled rules of one org, with their notes."""
    return await tx.fetch(LIST, [org_id])


async def sample(tx: Tx, org_id: UUID, category: str) -> list[tuple[UUID, RuleFacts]]:
    """The newest active memories that a rule of this category could fit."""
    return [
        (
            row["id"],
            RuleFacts(
                row["category"],
                row["confidence"],
                row["is_sensitive"],
                row["risk"],
                row["created_at"],
                row["last_confirmed_at"],
            ),
        )
        for row in await tx.fetch(SAMPLE, org_id, category)
    ]


async def add_rule(
    tx: Tx, org_id: UUID, category: str, condition: Mapping[str, Any], action: Action, priority: int, note: str,
    actor: Actor,
) -> tuple[UUID, int]:  # fmt: skip
    """The rule and the org's version."""
    await lock_owner(tx, org_id, None)
    rule_id = uuid.uuid4()
    await tx.execute(
        INSERT,
        rule_id,
        org_id,
        category,
        dict(condition),
        action,
        priority,
        str(actor.user_id),
        note,
        actor.at,
    )
    rule = {"category": category, "condition": dict(condition), "action": action, "priority": priority}
    return rule_id, await _announce(tx, org_id, rule_id, {"enabled": False}, {**rule, "enabled": True}, actor)


async def remove_rule(tx: Tx, org_id: UUID, rule_id: UUID, actor: Actor) -> int | None:
    """The org's version; None where there is no such rule any more."""
    await lock_owner(tx, org_id, None)
    row = await tx.fetchrow(DISABLE, org_id, rule_id)
    if row is None:
        return None
    return await _announce(tx, org_id, rule_id, {**dict(row), "enabled": True}, {"enabled": False}, actor)


async def _announce(
    tx: Tx,
    org_id: UUID,
    rule_id: UUID,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    actor: Actor,
) -> int:
    event = by_user(
        actor,
        org_id=org_id,
        event_type="policy_rule_changed",
        subject_type="rule",
        subject_id=rule_id,
        before=before,
        after=after,
    )
    return await record(tx, event, actor.at)
