"""Deletion by an org's own rules, applied (R112, R115, C75): status, revision, audit, version, outbox in one
transaction. Idempotent: what is gone or asked about is no candidate any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.item_times import DUE, EXPIRY
from dw_learning.policy_rules import Rule, RuleFacts, in_words
from dw_learning.rule_deletes import AskedByRule, DeletedByRule, RuledMemory, fate_by_rules, reaches
from dw_store.audit import NewEvent, write_events
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.retention import LOCK_AGENTS, REVISIONS
from dw_store.review_rows import review_of
from dw_store.rules import rules_of
from dw_store.versions import raise_versions

BATCH: Final = 500
ACTOR: Final = "system:rules"
REASON: Final = "rule"
Place = tuple[UUID, UUID]

# A wider net than the rules: who is caught is decided by the rule. What a review item asks about is left out.
CANDIDATES: Final = """
SELECT m.id, m.org_id, m.role_agent_id, m.origin, m.confidence::float8 AS confidence, m.created_at, m.last_confirmed_at,
       m.key, m.content, m.layer, m.memory_type, m.category, m.risk, m.is_sensitive, m.subject_identity, m.row_version,
       m.source_refs,
       (SELECT max(v.at) FROM dw_memory_revisions AS v
        WHERE v.org_id = m.org_id AND v.memory_id = m.id AND v.change_kind IN ('restore', 'undo')) AS restored_at
FROM dw_agent_memories AS m
WHERE m.org_id = ANY ($1::uuid[]) AND m.status = 'active' AND m.role_agent_id IS NOT NULL
  AND m.confidence <= $7::numeric AND ($4::uuid IS NULL OR (m.org_id, m.id) > ($4::uuid, $5::uuid))
  AND EXISTS (
      SELECT 1
      FROM jsonb_to_recordset($2::jsonb) AS r (
          org_id uuid, category text, confidence_upto numeric, confirmed_until timestamptz
      )
      WHERE r.org_id = m.org_id AND r.category IN ('*', m.category) AND m.confidence <= r.confidence_upto
        AND coalesce(m.last_confirmed_at, m.created_at) <= r.confirmed_until
  )
  AND NOT EXISTS (
      SELECT 1 FROM dw_learning_items AS i
      WHERE i.org_id = m.org_id AND i.target_memory_id = m.id AND i.kind = 'review'
        AND (i.status = 'pending' OR i.decided_at > $3::timestamptz - interval '30 days')
  )
ORDER BY m.org_id, m.id
LIMIT $6
"""
# Somebody who was faster wins: the row is looked at again next time.
DELETE: Final = """
UPDATE dw_agent_memories AS m
SET status = 'deleted', deleted_at = $2, deleted_by = $3, delete_reason = $4, updated_at = $2,
    row_version = m.row_version + 1
FROM jsonb_to_recordset($1::jsonb) AS r (org_id uuid, id uuid, row_version int)
WHERE m.org_id = r.org_id AND m.id = r.id AND m.status = 'active' AND m.row_version = r.row_version
RETURNING m.org_id, m.id
"""
ASK: Final = """
INSERT INTO dw_learning_items (
    id, org_id, role_agent_id, kind, action, risk, is_sensitive, reason_code, explanation, proposed_payload,
    original_payload, source_refs, dedupe_key, target_memory_id, base_version, proposed_by, confidence, published_at,
    due_at, expires_at, created_at, updated_at
)
SELECT r.item_id, r.org_id, r.role_agent_id, 'review', 'review', r.risk, r.is_sensitive, 'policy_rule', r.explanation,
       r.payload, r.payload, r.source_refs, 'rule:' || r.id, r.id, r.row_version, $3, r.confidence, $2,
       r.due_at, r.expires_at, $2, $2
FROM jsonb_to_recordset($1::jsonb) AS r (
    item_id uuid, id uuid, org_id uuid, role_agent_id uuid, risk text, is_sensitive boolean, explanation text,
    payload jsonb, source_refs jsonb, row_version int, confidence numeric, due_at timestamptz, expires_at timestamptz
)
ON CONFLICT DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """One batch. `following` is where the next one begins; None when all were looked at."""

    deleted: int = 0
    asked: int = 0
    following: Place | None = None


async def delete_by_rules(tx: Tx, org_ids: Sequence[UUID], now: datetime, after: Place | None) -> Swept:
    """The next BATCH candidates of these orgs. Locks the role-agents that it writes for (C69)."""
    rules = await rules_of(tx, org_ids)
    nets: list[dict[str, Any]] = [
        {
            "org_id": org,
            "category": reach.category,
            "confidence_upto": reach.confidence_upto,
            "confirmed_until": reach.confirmed_until,
        }
        for org, listed in rules.items()
        for reach in reaches(listed, now)
    ]
    if not nets:
        return Swept()
    org, memory = after or (None, None)
    upto = str(max(net["confidence_upto"] for net in nets))
    rows = await tx.fetch(CANDIDATES, list(org_ids), json_rows(nets), now, org, memory, BATCH, upto)
    gone: list[tuple[Any, Rule]] = []
    asked: list[tuple[Any, Rule]] = []
    for row in rows:
        listed = rules[row["org_id"]]
        match fate_by_rules(listed, _ruled(row), now):
            case DeletedByRule(rule_id):
                gone.append((row, _named(listed, rule_id)))
            case AskedByRule(rule_id):
                asked.append((row, _named(listed, rule_id)))
            case None:
                pass
    events = await _write(tx, gone, asked, now)
    following = (rows[-1]["org_id"], rows[-1]["id"]) if len(rows) == BATCH else None
    deleted = sum(event.event_type == "memory_expired" for event in events)
    return Swept(deleted, len(events) - deleted, following)


async def _write(
    tx: Tx, gone: list[tuple[Any, Rule]], asked: list[tuple[Any, Rule]], now: datetime
) -> list[NewEvent]:
    touched = sorted({(row["org_id"], row["role_agent_id"]) for row, _ in [*gone, *asked]}, key=str)
    if not touched:
        return []
    await tx.fetch(LOCK_AGENTS, [org for org, _ in touched], [agent for _, agent in touched])
    events: list[NewEvent] = []
    if gone:
        named = [{name: row[name] for name in ("org_id", "id", "row_version")} for row, _ in gone]
        done = {row["id"] for row in await tx.fetch(DELETE, json_rows(named), now, ACTOR, REASON)}
        kept = [{"org_id": row["org_id"], "id": row["id"]} for row, _ in gone if row["id"] in done]
        await tx.execute(REVISIONS, json_rows(kept), now, ACTOR)
        events += [_deleted(row, rule) for row, rule in gone if row["id"] in done]
    if asked:
        reviews = [_review(row, rule, now) for row, rule in asked]
        made = {row["id"] for row in await tx.fetch(ASK, json_rows(reviews), now, ACTOR)}
        events += [_asked(review) for review in reviews if review["item_id"] in made]
    versions = await raise_versions(tx, sorted({(e.org_id, e.role_agent_id) for e in events}, key=str))
    await write_events(tx, events, versions, now)
    return events


def _ruled(row: Any) -> RuledMemory:
    facts = RuleFacts(
        row["category"],
        row["confidence"],
        row["is_sensitive"],
        row["risk"],
        row["created_at"],
        row["last_confirmed_at"],
    )
    return RuledMemory(facts, row["origin"], row["restored_at"])


def _named(rules: Sequence[Rule], rule_id: UUID) -> Rule:
    return next(rule for rule in rules if rule.rule_id == rule_id)


def _review(row: Any, rule: Rule, now: datetime) -> dict[str, Any]:
    return review_of(row) | {
        "explanation": (
            "A rule of the org would delete it. Somebody approved, wrote or restored it, so a person decides. "
            f"The rule: {in_words(rule.category, rule.condition, rule.action)}"
        ),
        "rule": str(rule.rule_id),
        "due_at": now + DUE[row["risk"]],
        "expires_at": now + EXPIRY,
    }


def _deleted(row: Any, rule: Rule) -> NewEvent:
    return NewEvent(
        org_id=row["org_id"],
        role_agent_id=row["role_agent_id"],
        event_type="memory_expired",
        actor_type="system",
        actor_id=ACTOR,
        subject_type="memory",
        subject_id=row["id"],
        reason=REASON,
        before={"status": "active", "content": row["content"], "confidence": row["confidence"]},
        after={"status": "deleted", "rule": str(rule.rule_id)},
    )


def _asked(review: Mapping[str, Any]) -> NewEvent:
    return NewEvent(
        org_id=review["org_id"],
        role_agent_id=review["role_agent_id"],
        event_type="learning_proposed",
        actor_type="system",
        actor_id=ACTOR,
        subject_type="item",
        subject_id=review["item_id"],
        reason="policy_rule",
        after={"kind": "review", "memory": str(review["id"]), "rule": review["rule"]},
    )
