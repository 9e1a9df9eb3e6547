"""What is held about one person, read for a copy (D59): the same reach as an erasure (C72), nothing changed.

Other people's words are not the person's: of messages that name them only the number is told, and of tool runs only
what they asked for. Secrets of keys are held nowhere, so none can be in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString
from uuid import UUID

from dw_learning.erasure import pattern_of, terms_of
from dw_store.database import Tx
from dw_store.erasure import ACCOUNTS, DISPLAY_NAMES, MEMBER, Account, NoSuchPerson

PAGE: Final = 500
_WHO: Final = """
WITH person AS (
    SELECT $2::uuid AS user_id, $6::text AS pattern, $7::uuid AS after, $8::int AS size
), accounts AS (
    SELECT a.platform, a.workspace, a.account
    FROM unnest($3::text[], $4::text[], $5::text[]) AS a (platform, workspace, account)
), identities AS (
    SELECT i.id FROM dw_external_identities AS i, person AS p
    WHERE i.org_id = $1 AND (i.user_id = p.user_id OR EXISTS (
        SELECT 1 FROM accounts AS a
        WHERE a.platform = i.platform AND a.workspace = i.workspace_ref AND a.account = i.external_user_id))
), said AS (
    SELECT c.id FROM dw_chat_events AS c
    JOIN accounts AS a
      ON a.platform = c.platform AND a.workspace = c.workspace_ref AND a.account = c.external_user_id
    WHERE c.org_id = $1
    UNION
    SELECT d.decision_id FROM dw_decisions AS d
    JOIN accounts AS a
      ON a.platform = d.inputs #>> '{event,sender,platform}'
     AND a.workspace = coalesce(d.inputs #>> '{event,sender,workspace_ref}', '')
     AND a.account = d.inputs #>> '{event,sender,external_user_id}'
    WHERE d.org_id = $1
)
"""
IDENTITIES: Final = f"""{_WHO}
SELECT i.id, i.platform, i.workspace_ref, i.external_user_id, i.status, i.verified_at, i.verify_method, i.revoked_at
FROM dw_external_identities AS i, person AS p
WHERE i.org_id = $1 AND i.id IN (SELECT n.id FROM identities AS n) AND (p.after IS NULL OR i.id > p.after)
ORDER BY i.id LIMIT (SELECT size FROM person)
"""
MESSAGES: Final = f"""{_WHO}
SELECT c.id, n.code AS channel, c.kind AS event_kind, c.display_name, c.body_text AS text, c.occurred_at AS at
FROM dw_chat_events AS c
JOIN dw_channels AS n ON n.org_id = c.org_id AND n.id = c.channel_id, person AS p
WHERE c.org_id = $1 AND c.id IN (SELECT s.id FROM said AS s) AND (p.after IS NULL OR c.id > p.after)
ORDER BY c.id LIMIT (SELECT size FROM person)
"""
TOOL_RUNS: Final = f"""{_WHO}
SELECT t.id, n.code AS channel, t.tool, t.input, t.occurred_at AS at
FROM dw_tool_runs AS t
JOIN dw_channels AS n ON n.org_id = t.org_id AND n.id = t.channel_id
JOIN accounts AS a ON a.platform = n.platform AND a.workspace = coalesce(t.workspace_ref, n.workspace_ref)
  AND a.account = t.external_user_id, person AS p
WHERE t.org_id = $1 AND (p.after IS NULL OR t.id > p.after)
ORDER BY t.id LIMIT (SELECT size FROM person)
"""
CORRECTIONS: Final = f"""{_WHO}
SELECT t.id, n.code AS channel, t.wrong_text, t.right_text, t.occurred_at AS at
FROM dw_corrections AS t
JOIN dw_channels AS n ON n.org_id = t.org_id AND n.id = t.channel_id
JOIN accounts AS a ON a.platform = n.platform AND a.workspace = coalesce(t.workspace_ref, n.workspace_ref)
  AND a.account = t.external_user_id, person AS p
WHERE t.org_id = $1 AND (p.after IS NULL OR t.id > p.after)
ORDER BY t.id LIMIT (SELECT size FROM person)
"""
MEMORIES: Final = f"""{_WHO}
SELECT m.id, m.scope, m.status, m.key, m.content AS text, m.risk, m.is_sensitive, m.confidence::float8 AS confidence,
       m.retention_policy, m.created_at AS at, w.is_subject, w.is_source, w.is_named
FROM dw_agent_memories AS m
CROSS JOIN person AS p
CROSS JOIN LATERAL (
    SELECT coalesce(m.subject_identity IN (SELECT n.id FROM identities AS n), FALSE) AS is_subject,
           coalesce(m.sender_identity_id IN (SELECT n.id FROM identities AS n), FALSE) OR EXISTS (
               SELECT 1 FROM jsonb_array_elements(m.source_refs) AS r
               JOIN said AS s ON s.id::text = r ->> 'event_id') OR m.source_refs @> jsonb_build_array(
               jsonb_build_object('user_id', p.user_id::text)) AS is_source,
           coalesce(m.content ~* p.pattern OR m.key ~* p.pattern, FALSE) AS is_named
) AS w
WHERE m.org_id = $1 AND (w.is_subject OR w.is_source OR w.is_named) AND (p.after IS NULL OR m.id > p.after)
ORDER BY m.id LIMIT (SELECT size FROM person)
"""
ITEMS: Final = f"""{_WHO}
SELECT i.id, i.kind AS item_kind, i.action, i.status, i.reason_code, i.risk, i.proposed_payload ->> 'content' AS text,
       i.created_at AS at, w.is_source, w.is_named
FROM dw_learning_items AS i
CROSS JOIN person AS p
CROSS JOIN LATERAL (
    SELECT coalesce(i.sender_identity_id IN (SELECT n.id FROM identities AS n), FALSE)
               OR coalesce(i.sender_user_id = p.user_id, FALSE) OR EXISTS (
               SELECT 1 FROM jsonb_array_elements(i.source_refs) AS r
               JOIN said AS s ON s.id::text = r ->> 'event_id') AS is_source,
           coalesce(i.proposed_payload ->> 'content' ~* p.pattern, FALSE) AS is_named
) AS w
WHERE i.org_id = $1 AND (w.is_source OR w.is_named) AND (p.after IS NULL OR i.id > p.after)
ORDER BY i.id LIMIT (SELECT size FROM person)
"""
DECISIONS: Final = f"""{_WHO}
SELECT d.decision_id AS id, min(d.decided_at) AS at,
       jsonb_agg(jsonb_build_object('outcome', d.outcome, 'reason', d.reason, 'rule', d.rule) ORDER BY d.item_no)
           AS outcomes
FROM dw_decisions AS d, person AS p
WHERE d.org_id = $1 AND d.decision_id IN (SELECT s.id FROM said AS s) AND (p.after IS NULL OR d.decision_id > p.after)
GROUP BY d.decision_id ORDER BY d.decision_id LIMIT (SELECT size FROM person)
"""
VERDICTS: Final = f"""{_WHO}
SELECT i.id, i.status, i.decision_kind, i.decision_note AS note, i.decided_at AS at
FROM dw_learning_items AS i, person AS p
WHERE i.org_id = $1 AND i.decided_by = p.user_id AND (p.after IS NULL OR i.id > p.after)
ORDER BY i.id LIMIT (SELECT size FROM person)
"""
FEEDBACK: Final = f"""{_WHO}
SELECT f.id, f.memory_id, f.action, f.new_text AS text, f.at
FROM dw_memory_feedback AS f, person AS p
WHERE f.org_id = $1 AND f.actor_user_id = p.user_id AND (p.after IS NULL OR f.id > p.after)
ORDER BY f.id LIMIT (SELECT size FROM person)
"""
ACTS: Final = f"""{_WHO}
SELECT e.event_id AS id, e.event_type AS type, e.subject_type, e.subject_id, e.at
FROM dw_learning_events AS e, person AS p
WHERE e.org_id = $1 AND (e.on_behalf_of = p.user_id OR e.actor_id = p.user_id::text)
  AND (p.after IS NULL OR e.event_id > p.after)
ORDER BY e.event_id LIMIT (SELECT size FROM person)
"""
TOKENS: Final = f"""{_WHO}
SELECT k.id, k.kind AS token_kind, k.name, k.created_at AS at, k.expires_at, k.revoked_at
FROM dw_api_keys AS k, person AS p
WHERE k.org_id = $1 AND k.user_id = p.user_id AND (p.after IS NULL OR k.id > p.after)
ORDER BY k.id LIMIT (SELECT size FROM person)
"""
MENTIONS: Final = """
SELECT count(*) FROM dw_chat_events AS c
WHERE c.org_id = $1 AND c.body_text ~* $2 AND NOT EXISTS (
    SELECT 1 FROM unnest($3::text[], $4::text[], $5::text[]) AS a (platform, workspace, account)
    WHERE a.platform = c.platform AND a.workspace = c.workspace_ref AND a.account = c.external_user_id)
"""
BY_CODE: Final = "SELECT m.user_id FROM dw_org_members AS m WHERE m.org_id = $1 AND m.code = $2"
# In the order of the copy.
KINDS: Final[tuple[tuple[str, LiteralString], ...]] = (
    ("identity", IDENTITIES),
    ("message", MESSAGES),
    ("tool_run", TOOL_RUNS),
    ("correction", CORRECTIONS),
    ("memory", MEMORIES),
    ("item", ITEMS),
    ("decision", DECISIONS),
    ("verdict", VERDICTS),
    ("feedback", FEEDBACK),
    ("act", ACTS),
    ("token", TOKENS),
)


@dataclass(frozen=True, slots=True)
class Held:
    """Whose data: a member, accounts, and what to look for in texts. `member` has code, role, status, name, email."""

    user_id: UUID | None
    member: dict[str, Any] | None
    accounts: tuple[Account, ...]
    pattern: str | None


async def find_person(
    tx: Tx, org_id: UUID, user_id: UUID | None, accounts: Sequence[Account], names: Sequence[str]
) -> Held:
    """The person with all accounts and names that lead to them. Raises NoSuchPerson."""
    member, known = None, list(accounts)
    if user_id is not None:
        row = await tx.fetchrow(MEMBER, org_id, user_id)
        if row is None:
            raise NoSuchPerson(str(user_id))
        member = dict(row)
        mapped = await tx.fetch(ACCOUNTS, org_id, user_id)
        known = [(r["platform"], r["workspace_ref"], r["external_user_id"]) for r in mapped] + known
    known = list(dict.fromkeys(known))
    shown = await tx.fetch(DISPLAY_NAMES, org_id, *_columns(known)) if known else []
    called = [*names, *(row["display_name"] for row in shown)]
    called += [text for text in (member["name"], member["email"]) if text] if member is not None else []
    pattern = pattern_of(terms_of(called, (account for _, _, account in known)))
    return Held(user_id, member, tuple(known), pattern)


async def user_of(tx: Tx, org_id: UUID, code: str) -> UUID:
    """The member who has this code. Raises NoSuchPerson."""
    found: UUID | None = await tx.fetchval(BY_CODE, org_id, code)
    if found is None:
        raise NoSuchPerson(code)
    return found


async def held_page(
    tx: Tx, org_id: UUID, held: Held, statement: LiteralString, after: UUID | None
) -> list[Any]:
    """The next PAGE rows of one kind."""
    return await tx.fetch(
        statement, org_id, held.user_id, *_columns(held.accounts), held.pattern, after, PAGE
    )


async def mentions_of(tx: Tx, org_id: UUID, held: Held) -> int:
    """How many messages of others name the person."""
    if held.pattern is None:
        return 0
    found: int = await tx.fetchval(MENTIONS, org_id, held.pattern, *_columns(held.accounts))
    return found


def _columns(accounts: Sequence[Account]) -> tuple[list[str], list[str], list[str]]:
    return [a[0] for a in accounts], [a[1] for a in accounts], [a[2] for a in accounts]
