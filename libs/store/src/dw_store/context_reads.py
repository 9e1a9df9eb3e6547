"""What a ContextPack is made of, in one round trip and from one snapshot; and the record of what was given."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from dw_contracts.http.context import ContextSender, PackSoul
from dw_learning.pack import ActiveMemory, Pack, Soul
from dw_store.database import Database
from dw_store.keys import FoundKey

BUILDER_VERSION = "sql-1"

# dw_context_facts sets the org itself: a transaction of its own would cost two more round trips.
FACTS = "SELECT dw_context_facts($1, $2, $3, $4, $5, $6, $7, $8, $9) AS facts"
RECORD = """
INSERT INTO dw_context_packs (
    id, org_id, role_agent_id, channel_id, soul_version, memory_ids, memory_chars, dropped, version, builder_version,
    built_at
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, r.soul_version, r.memory_ids, r.memory_chars, r.dropped,
       r.version, $2, r.built_at
FROM jsonb_to_recordset($1::jsonb) AS r (
    id uuid, org_id uuid, role_agent_id uuid, channel_id uuid, soul_version int, memory_ids uuid[], memory_chars int,
    dropped jsonb, version bigint, built_at timestamptz
)
ON CONFLICT (org_id, id) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class PackFacts:
    """All that the assembly needs. `foreign` are active preferences of other people: ids only, never their text."""

    role_agent_id: str
    channel_id: str
    version: int
    sender: str | None
    soul: Soul | None
    memories: list[ActiveMemory]
    foreign: list[str]
    more_active: bool


@dataclass(frozen=True, slots=True)
class PackRecord:
    """A pack that was given, and where."""

    id: UUID
    org_id: UUID
    channel_id: str
    pack: Pack


async def load_pack(
    database: Database, key: FoundKey, role_agent: str, channel: str, sender: ContextSender | None
) -> PackFacts | None:
    """The facts, or None where the role-agent does not listen in the channel, or the key does not open it (R4)."""
    rows = await database.fetch(
        FACTS,
        key.org_id,
        key.agent_ids,
        role_agent,
        uuid_of(role_agent),
        channel,
        uuid_of(channel),
        sender.platform if sender else None,
        sender.workspace_ref if sender else None,
        sender.external_user_id if sender else None,
    )
    facts = rows[0]["facts"]
    return None if facts is None else _facts(facts)


async def record_packs(database: Database, records: Sequence[PackRecord]) -> None:
    """Keep which memory was given to which role-agent, and what was left out: one statement for all orgs."""
    rows = [
        {
            "id": record.id,
            "org_id": record.org_id,
            "role_agent_id": record.pack["role_agent_id"],
            "channel_id": record.channel_id,
            "soul_version": record.pack["soul"].version if record.pack["soul"] else None,
            "memory_ids": [memory["id"] for memory in record.pack["memories"]],
            "memory_chars": record.pack["memory_chars"],
            "dropped": record.pack["dropped"],
            "version": record.pack["version"],
            "built_at": record.pack["built_at"],
        }
        for record in records
    ]
    async with database.transaction(sorted({record.org_id for record in records})) as tx:
        await tx.execute(RECORD, orjson.dumps(rows, default=plain).decode(), BUILDER_VERSION)


def plain(value: Any) -> Any:
    """For orjson: contracts as their fields, and the driver's own kind of UUID as text."""
    return str(value) if isinstance(value, UUID) else vars(value)


def uuid_of(text: str) -> UUID | None:
    """The id that a text is, if it is one."""
    try:
        return uuid.UUID(text) if len(text) == 36 else None
    except ValueError:
        return None


def _facts(facts: list[Any]) -> PackFacts:
    role_agent_id, channel_id, version, sender, soul, memories, more_active, foreign = facts
    return PackFacts(
        role_agent_id=role_agent_id,
        channel_id=channel_id,
        version=version,
        sender=sender,
        soul=_soul(*soul) if soul else None,
        memories=[_memory(*memory) for memory in memories or ()],
        foreign=foreign,
        more_active=more_active,
    )


def _soul(code: str, version: int, tone: str, never: str, soul_paused: bool, agent_paused: bool) -> Soul:
    approved = PackSoul(code=code, version=version, tone_rules=tone, do_not_do=never)
    return Soul(approved, soul_paused=soul_paused, agent_paused=agent_paused)


def _memory(made: str, org_wide: bool, operating: bool, *rest: Any) -> ActiveMemory:
    scope, layer = "org" if org_wide else "role_agent", "operating" if operating else "knowledge"
    return ActiveMemory._make((made, scope, layer, *rest))
