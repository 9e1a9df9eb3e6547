"""What a ContextPack is made of, in one round trip and from one snapshot; and the record of what was given."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from dw_contracts.http.context import ContextSender, PackSkill, PackSoul
from dw_learning.conflicts import Conflict, conflicts_in
from dw_learning.pack import ActiveMemory, LeftOut, Pack, Soul, WhyLeftOut
from dw_learning.pack_prompt import CURRENT
from dw_store.database import Database
from dw_store.keys import FoundKey

BUILDER_VERSION = "sql-1"
MAX_RECORDED = 10
"""Dropped ones that are recorded by id."""

# dw_context_facts sets the org itself: a transaction of its own would cost two more round trips.
FACTS = "SELECT dw_context_facts($1, $2, $3, $4, $5, $6, $7, $8, $9) AS facts"
# All ids of memories come in one array: reading each pack's from text costs as much as the rest of the row. A run is named
# by whoever asks: one of another agent or channel is not taken down.
RECORD = """
INSERT INTO dw_context_packs (
    id, org_id, role_agent_id, channel_id, run_id, soul_version, memory_ids, memory_chars, skill_refs, history_refs,
    dropped, version, builder_version, prompt_version, built_at
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, CASE WHEN r.run_id IS NOT NULL THEN (
           SELECT k.id FROM dw_runs AS k
           WHERE k.org_id = r.org_id AND k.id = r.run_id AND k.role_agent_id = r.role_agent_id
             AND k.channel_id = r.channel_id
       ) END, r.soul_version, ($16::uuid[])[r.first_id : r.last_id], r.memory_chars, r.skill_refs::jsonb,
       r.history_refs::jsonb, r.dropped::json, r.version, r.builder_version, r.prompt_version, r.built_at
FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::int[], $7::int[], $8::int[], $9::int[],
    $10::text[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::text[], $17::timestamptz[]
) AS r (
    id, org_id, role_agent_id, channel_id, run_id, soul_version, first_id, last_id, memory_chars,
    skill_refs, history_refs, dropped, version, builder_version, prompt_version, built_at
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


class GivenPack(NamedTuple):
    """What is kept of a pack's content, as it is sent: `memory_ids` between commas; `skill_refs`, `history_refs` and
    `dropped` (pack.WhyLeftOut) as JSON."""

    role_agent_id: str
    version: int
    soul_version: int | None
    memory_ids: str
    memory_chars: int
    skill_refs: str
    dropped: str
    builder: str = BUILDER_VERSION
    prompt: str = CURRENT.version
    history_refs: str = "[]"
    conflicts: tuple[Conflict, ...] = ()
    """What precedence settled, for the people who look into it (C19). Not in the record, which has `dropped`."""

    @classmethod
    def of(
        cls, pack: Pack, builder: str = BUILDER_VERSION, conflicts: tuple[Conflict, ...] | None = None
    ) -> GivenPack:
        """The record of a pack. Without `conflicts`, those that the pack lists."""
        soul = pack["soul"]
        return cls(
            role_agent_id=pack["role_agent_id"],
            version=pack["version"],
            soul_version=soul.version if soul is not None else None,
            memory_ids=",".join([memory["id"] for memory in pack["memories"]]),
            memory_chars=pack["memory_chars"],
            skill_refs=skill_refs(pack["skills"]),
            dropped=orjson.dumps(_why_dropped(pack["dropped"], pack["more_dropped"])._asdict()).decode(),
            builder=builder,
            prompt=pack["prompt_version"],
            history_refs=orjson.dumps([str(message.event_id) for message in pack["history"]]).decode(),
            conflicts=conflicts_in(pack["dropped"]) if conflicts is None else conflicts,
        )


def skill_refs(skills: Sequence[PackSkill]) -> str:
    """Skills by name and version, as they are recorded."""
    if not skills:
        return "[]"
    return orjson.dumps([{"name": skill.name, "version": skill.version} for skill in skills]).decode()


class PackRecord(NamedTuple):
    """A pack that was given, where and when."""

    id: UUID
    org_id: UUID
    channel_id: str
    given: GivenPack
    built_at: datetime
    run_id: UUID | None = None


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
    if not records:
        return
    made, orgs, channels, packs, times, runs = zip(*records, strict=True)
    agents, versions, souls, memories, chars, skills, dropped, builders, prompts, history, _ = zip(
        *packs, strict=True
    )
    last = list(accumulate([ids.count(",") + 1 if ids else 0 for ids in memories]))
    all_ids = ",".join(filter(None, memories))
    async with database.transaction(sorted(set(orgs))) as tx:
        await tx.execute(
            RECORD,
            made,
            orgs,
            agents,
            channels,
            runs,
            souls,
            [1, *(before + 1 for before in last[:-1])],
            last,
            chars,
            skills,
            history,
            dropped,
            versions,
            builders,
            prompts,
            all_ids.split(",") if all_ids else [],
            times,
        )


def _why_dropped(dropped: Sequence[LeftOut], more: bool) -> WhyLeftOut:
    """The nearest ones by id, all by their reasons: what a person asks of a pack that was given."""
    return WhyLeftOut(dropped[:MAX_RECORDED], Counter([left["reason"] for left in dropped]), more)


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
