"""What a ContextPack is made of, in one round trip and from one snapshot; and the record of what was given."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
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
# A pack that was given a thousand times within a batch is sent once, and kept once for each time. A run is named by
# whoever asks: one of another agent or channel is not taken down.
RECORD = """
INSERT INTO dw_context_packs (
    id, org_id, role_agent_id, channel_id, run_id, soul_version, memory_ids, memory_chars, skill_refs, history_refs,
    dropped, version, builder_version, prompt_version, built_at
)
SELECT r.id, s.org_id, s.role_agent_id, s.channel_id, (
           SELECT k.id FROM dw_runs AS k
           WHERE k.org_id = s.org_id AND k.id = r.run_id AND k.role_agent_id = s.role_agent_id
             AND k.channel_id = s.channel_id
       ), s.soul_version, s.memory_ids, s.memory_chars,
       s.skill_refs, s.history_refs, s.dropped, s.version, s.builder_version, s.prompt_version, r.built_at
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::uuid[]) AS r (id, place, built_at, run_id)
JOIN jsonb_to_recordset($1::jsonb) AS s (
    place int, org_id uuid, role_agent_id uuid, channel_id uuid, soul_version int, memory_ids uuid[], memory_chars int,
    skill_refs jsonb, history_refs jsonb, dropped jsonb, version bigint, builder_version text, prompt_version text
) ON s.place = r.place
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


@dataclass(frozen=True, slots=True, eq=False)
class GivenPack:
    """What is kept of a pack's content; one object for all packs of the same content."""

    role_agent_id: str
    version: int
    soul_version: int | None
    memory_ids: tuple[str, ...]
    memory_chars: int
    skill_refs: tuple[dict[str, Any], ...]
    dropped: dict[str, Any]
    builder: str = BUILDER_VERSION
    prompt: str = ""
    history_refs: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    """What precedence settled, for the people who look into it (C19). Not in the record, which has `dropped`."""

    @classmethod
    def of(
        cls, pack: Pack, builder: str = BUILDER_VERSION, conflicts: tuple[Conflict, ...] | None = None
    ) -> GivenPack:
        """The record of a pack. Without `conflicts`, those that the pack lists."""
        return cls.made(
            role_agent_id=pack["role_agent_id"],
            version=pack["version"],
            soul=pack["soul"],
            memory_ids=tuple(memory["id"] for memory in pack["memories"]),
            memory_chars=pack["memory_chars"],
            skills=pack["skills"],
            why=_why_dropped(pack["dropped"], pack["more_dropped"]),
            builder=builder,
            prompt=pack["prompt_version"],
            history_refs=tuple(str(message.event_id) for message in pack["history"]),
            conflicts=conflicts_in(pack["dropped"]) if conflicts is None else conflicts,
        )

    @classmethod
    def made(
        cls,
        *,
        role_agent_id: str,
        version: int,
        soul: PackSoul | None,
        memory_ids: tuple[str, ...],
        memory_chars: int,
        skills: Sequence[PackSkill],
        why: WhyLeftOut,
        builder: str,
        conflicts: tuple[Conflict, ...],
        prompt: str = CURRENT.version,
        history_refs: tuple[str, ...] = (),
    ) -> GivenPack:
        """The record of a pack from its parts."""
        return cls(
            role_agent_id=role_agent_id,
            version=version,
            soul_version=soul.version if soul else None,
            memory_ids=memory_ids,
            memory_chars=memory_chars,
            skill_refs=tuple({"name": skill.name, "version": skill.version} for skill in skills),
            dropped=why._asdict(),
            builder=builder,
            prompt=prompt,
            history_refs=history_refs,
            conflicts=conflicts,
        )


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
    places: dict[tuple[UUID, str, int], int] = {}
    contents: list[dict[str, Any]] = []
    of_record: list[int] = []
    for record in records:
        key = (record.org_id, record.channel_id, id(record.given))
        place = places.setdefault(key, len(contents))
        if place == len(contents):
            contents.append(_content(place, record))
        of_record.append(place)
    async with database.transaction(sorted({record.org_id for record in records})) as tx:
        await tx.execute(
            RECORD,
            orjson.dumps(contents, default=plain).decode(),
            [record.id for record in records],
            of_record,
            [record.built_at for record in records],
            [record.run_id for record in records],
        )


def _content(place: int, record: PackRecord) -> dict[str, Any]:
    given = record.given
    return {
        "place": place,
        "org_id": record.org_id,
        "channel_id": record.channel_id,
        "role_agent_id": given.role_agent_id,
        "soul_version": given.soul_version,
        "memory_ids": given.memory_ids,
        "memory_chars": given.memory_chars,
        "skill_refs": given.skill_refs,
        "history_refs": given.history_refs,
        "dropped": given.dropped,
        "version": given.version,
        "builder_version": given.builder,
        "prompt_version": given.prompt,
    }


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
