"""What a batch of decisions rests on, in a bounded number of statements (C47, C69): no query in a loop.

Order matters: the role-agents are locked first, in id order, so that commit order is per-agent order (D60); identity,
membership and channel rows are read FOR SHARE, so that a revocation cannot race a save.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from dw_contracts.events.chat import ChatEvent, Learning
from dw_contracts.events.detections import Detection
from dw_learning.decision.facts import (
    UNKNOWN_SENDER,
    AgentFacts,
    Caps,
    ChannelFacts,
    ItemFacts,
    MemoryFacts,
    SenderFacts,
    SourceFacts,
)
from dw_learning.decision.state import AgentState
from dw_learning.policy_rules import RuleBook
from dw_store.asked import Asked, Owner, asked_of, columns_of, source_columns
from dw_store.database import Tx
from dw_store.policy_refusals import load_refusals
from dw_store.rules import rules_of

Row = tuple[Detection, ChatEvent | None]
Account = tuple[UUID, str, str, str]

LOCK_AGENTS = """
SELECT a.org_id, a.id, a.status, a.learning_enabled, a.skill_learning_enabled, a.auto_memory_enabled,
       a.auto_memory_require_verified, a.auto_saves_per_day, a.open_items
FROM dw_role_agents AS a
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, id) ON a.org_id = wanted.org_id AND a.id = wanted.id
ORDER BY a.id
FOR NO KEY UPDATE OF a
"""
CHANNELS = """
SELECT c.org_id, c.id, c.learning
FROM dw_channels AS c
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, id) ON c.org_id = wanted.org_id AND c.id = wanted.id
WHERE c.deleted_at IS NULL
FOR SHARE OF c
"""
LISTENERS = """
SELECT l.org_id, l.channel_id, l.role_agent_id
FROM dw_channel_agents AS l
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, id) ON l.org_id = wanted.org_id AND l.channel_id = wanted.id
FOR SHARE OF l
"""
IDENTITIES = """
SELECT i.org_id, i.platform, i.workspace_ref, i.external_user_id, i.id, i.user_id, i.status, i.verified_at,
       i.service_granted
FROM dw_external_identities AS i
JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS wanted (org_id, platform, workspace_ref, external_user_id)
  ON i.org_id = wanted.org_id AND i.platform = wanted.platform AND i.workspace_ref = wanted.workspace_ref
 AND i.external_user_id = wanted.external_user_id
FOR SHARE OF i
"""
MEMBERS = """
SELECT m.org_id, m.user_id
FROM dw_org_members AS m
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, user_id) ON m.org_id = wanted.org_id AND m.user_id = wanted.user_id
WHERE m.status = 'active'
FOR SHARE OF m
"""
SOURCES = """
SELECT s.role_agent_id, s.channel_id, s.message_ref, s.newest_revision, s.deleted
FROM dw_sources AS s
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::text::uuid[], $4::text[])
  AS wanted (org_id, role_agent_id, channel_id, message_ref)
  ON s.org_id = wanted.org_id AND s.role_agent_id = wanted.role_agent_id AND s.channel_id = wanted.channel_id
 AND s.message_ref = wanted.message_ref
"""
DECIDED_UNTIL = """
SELECT u.role_agent_id, u.received_at
FROM dw_decided_until AS u
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, role_agent_id)
  ON u.org_id = wanted.org_id AND u.role_agent_id = wanted.role_agent_id
"""
_MEMORY = """
SELECT m.role_agent_id, m.id, m.key, m.content, m.content_hash, m.subject_identity, m.risk, m.origin, m.layer,
       m.row_version, m.source_refs, m.sender_identity_id,
       m.origin = 'auto_saved' AND m.source_session IS NOT NULL AS own_put
FROM dw_agent_memories AS m
"""
MEMORIES_BY_KEY = (
    _MEMORY
    + """
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::text[]) AS wanted (org_id, role_agent_id, key)
  ON m.org_id = wanted.org_id AND m.role_agent_id = wanted.role_agent_id AND m.key = wanted.key
WHERE m.status = 'active'
"""
)
MEMORIES_BY_HASH = (
    _MEMORY
    + """
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::bytea[]) AS wanted (org_id, role_agent_id, content_hash)
  ON m.org_id = wanted.org_id AND m.role_agent_id = wanted.role_agent_id AND m.content_hash = wanted.content_hash
WHERE m.status = 'active'
"""
)
MEMORIES_BY_SOURCE = (
    _MEMORY
    + """
JOIN unnest($1::uuid[], $2::uuid[], $3::jsonb[]) AS wanted (org_id, role_agent_id, ref)
  ON m.org_id = wanted.org_id AND m.role_agent_id = wanted.role_agent_id AND m.source_refs @> wanted.ref
WHERE m.status = 'active'
"""
)
# C19: what all agents of the org are told, under the keys of this batch.
ORG_BY_KEY = """
SELECT wanted.role_agent_id, m.key, m.content
FROM dw_agent_memories AS m
JOIN unnest($1::text::uuid[], $2::text::uuid[], $3::text[]) AS wanted (org_id, role_agent_id, key)
  ON m.org_id = wanted.org_id AND m.role_agent_id IS NULL AND m.key = wanted.key
WHERE m.status = 'active' AND m.subject_identity IS NULL
"""
PENDING_ITEMS = """
SELECT i.role_agent_id, i.id, i.dedupe_key, i.sender_verified, i.sender_ref, i.published_at IS NOT NULL AS published
FROM dw_learning_items AS i
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, role_agent_id)
  ON i.org_id = wanted.org_id AND i.role_agent_id = wanted.role_agent_id
WHERE i.status = 'pending'
"""
ITEMS_BY_SOURCE = """
SELECT i.role_agent_id, i.id, wanted.channel_id, wanted.message_ref
FROM dw_learning_items AS i
JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS wanted (org_id, role_agent_id, channel_id, message_ref)
  ON i.org_id = wanted.org_id AND i.role_agent_id = wanted.role_agent_id
 AND i.source_refs @> jsonb_build_array(
     jsonb_build_object('channel_id', wanted.channel_id, 'message_ref', wanted.message_ref)
 )
WHERE i.status = 'pending' AND i.kind <> 'review'
ORDER BY i.id
"""
SAVES_TODAY = """
SELECT m.role_agent_id, count(*) AS saves, count(*) FILTER (WHERE NOT m.sender_verified) AS unverified
FROM dw_agent_memories AS m
JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (org_id, role_agent_id)
  ON m.org_id = wanted.org_id AND m.role_agent_id = wanted.role_agent_id
WHERE m.origin = 'auto_saved' AND m.layer <> 'session' AND m.created_at >= $3
GROUP BY m.role_agent_id
"""


@dataclass(slots=True)
class Loaded:
    """The facts of one batch. An agent, channel or account that is missing belongs to no org of the batch."""

    states: dict[UUID, AgentState] = field(default_factory=dict)
    org_of: dict[UUID, UUID] = field(default_factory=dict)
    channels: dict[tuple[UUID, UUID], Learning] = field(default_factory=dict)
    listeners: set[tuple[UUID, UUID]] = field(default_factory=set)
    senders: dict[Account, SenderFacts] = field(default_factory=dict)

    def sender_of(self, event: ChatEvent) -> SenderFacts:
        """Deny by default: an account that stands nowhere is unverified (R31)."""
        return self.senders.get(_account(event), UNKNOWN_SENDER)

    def channel_of(self, event: ChatEvent) -> ChannelFacts:
        """The channel as it stands now, and whether the agent listens there now."""
        return ChannelFacts(
            channel_id=event.channel_id,
            listens=(event.channel_id, event.role_agent_id) in self.listeners,
            learning=self.channels[(event.org_id, event.channel_id)],
        )


async def load_for_decisions(tx: Tx, rows: Sequence[Row], caps: Caps, now: datetime) -> Loaded:
    """Everything that `decide` may look at for these rows. Locks the role-agents until the transaction ends."""
    loaded = Loaded()
    agents = sorted({(d.org_id, d.role_agent_id) for d, _ in rows}, key=lambda pair: pair[1])
    events = [event for _, event in rows if event is not None]
    await _load_agents(tx, loaded, agents, caps, now)
    await _load_channels(tx, loaded, sorted({(e.org_id, e.channel_id) for e in events}))
    await _load_senders(tx, loaded, sorted({_account(e) for e in events}, key=str))
    asked = asked_of(rows)
    await _load_sources(tx, loaded, asked, events)
    await _load_memories(tx, loaded, asked, events)
    await load_refusals(
        tx, loaded.states, asked, rows, lambda event: loaded.sender_of(event).identity_id, now
    )
    rules = await rules_of(tx, sorted(set(loaded.org_of.values())))
    books = {org: RuleBook.of(listed) for org, listed in rules.items()}
    for agent, state in loaded.states.items():
        state.rules = books.get(loaded.org_of[agent], RuleBook())
    return loaded


def _account(event: ChatEvent) -> Account:
    sender = event.sender
    return (event.org_id, sender.platform.value, sender.workspace_ref, sender.external_user_id)


def _columns(rows: Iterable[tuple[Any, ...]], width: int) -> tuple[list[Any], ...]:
    columns = tuple(zip(*rows, strict=True))
    return tuple(list(column) for column in columns) if columns else tuple([] for _ in range(width))


async def _load_agents(
    tx: Tx, loaded: Loaded, agents: list[tuple[UUID, UUID]], caps: Caps, now: datetime
) -> None:
    orgs, ids = _columns(agents, 2)
    for row in await tx.fetch(LOCK_AGENTS, orgs, ids):
        facts = AgentFacts(
            role_agent_id=row["id"],
            active=row["status"] == "active",
            learning_enabled=row["learning_enabled"],
            skill_learning_enabled=row["skill_learning_enabled"],
            auto_memory_enabled=row["auto_memory_enabled"],
            auto_memory_require_verified=row["auto_memory_require_verified"],
        )
        own = Caps(
            auto_saves_per_day=_cap(row["auto_saves_per_day"], caps.auto_saves_per_day),
            unverified_saves_per_day=caps.unverified_saves_per_day,
            open_items=_cap(row["open_items"], caps.open_items),
            open_items_per_unverified=caps.open_items_per_unverified,
        )
        loaded.states[row["id"]] = AgentState(facts, own)
        loaded.org_of[row["id"]] = row["org_id"]
    for row in await tx.fetch(DECIDED_UNTIL, orgs, ids):
        loaded.states[row["role_agent_id"]].decided_until = row["received_at"]
    for row in await tx.fetch(PENDING_ITEMS, orgs, ids):
        _count_item(loaded.states[row["role_agent_id"]], row)
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for row in await tx.fetch(SAVES_TODAY, orgs, ids, day):
        state = loaded.states[row["role_agent_id"]]
        state.saves_today, state.unverified_saves_today = row["saves"], row["unverified"]


def _cap(own: int | None, setting: int | None) -> int | None:
    return setting if own is None else own


def _count_item(state: AgentState, row: Any) -> None:
    sender = row["sender_ref"] if not row["sender_verified"] else None
    if row["dedupe_key"] is not None:
        state.items[row["dedupe_key"]] = ItemFacts(row["id"], row["dedupe_key"], row["sender_verified"])
    if row["published"]:
        state.open_items += 1
        if sender:
            state.open_by_sender[sender] = state.open_by_sender.get(sender, 0) + 1
        return
    state.unpublished_items += 1
    if sender:
        state.unpublished_by_sender[sender] = state.unpublished_by_sender.get(sender, 0) + 1


async def _load_channels(tx: Tx, loaded: Loaded, channels: list[tuple[UUID, UUID]]) -> None:
    orgs, ids = _columns(channels, 2)
    for row in await tx.fetch(CHANNELS, orgs, ids):
        loaded.channels[(row["org_id"], row["id"])] = Learning(row["learning"])
    for row in await tx.fetch(LISTENERS, orgs, ids):
        loaded.listeners.add((row["channel_id"], row["role_agent_id"]))


async def _load_senders(tx: Tx, loaded: Loaded, accounts: list[Account]) -> None:
    rows = await tx.fetch(IDENTITIES, *_columns(accounts, 4))
    users = sorted({(row["org_id"], row["user_id"]) for row in rows if row["user_id"] is not None})
    members = {(row["org_id"], row["user_id"]) for row in await tx.fetch(MEMBERS, *_columns(users, 2))}
    for row in rows:
        account = (row["org_id"], row["platform"], row["workspace_ref"], row["external_user_id"])
        loaded.senders[account] = SenderFacts(
            identity_id=row["id"],
            user_id=row["user_id"],
            status=row["status"],
            verified_at=row["verified_at"],
            active_member=(row["org_id"], row["user_id"]) in members,
            service_granted=row["service_granted"],
        )


async def _load_sources(
    tx: Tx, loaded: Loaded, asked: Mapping[Owner, Asked], events: list[ChatEvent]
) -> None:
    for row in await tx.fetch(SOURCES, *source_columns(asked)):
        state = loaded.states.get(row["role_agent_id"])
        if state is not None:
            facts = SourceFacts(row["newest_revision"], row["deleted"])
            state.sources[(row["channel_id"], row["message_ref"])] = facts
    touched = {_source_ref(e) for e in events if e.kind.value in ("edit", "delete")}
    if not touched:
        return
    for row in await tx.fetch(ITEMS_BY_SOURCE, *_columns(sorted(touched, key=str), 4)):
        state = loaded.states.get(row["role_agent_id"])
        if state is not None:
            state.add_item_source(row["id"], (row["channel_id"], row["message_ref"]))


async def _load_memories(
    tx: Tx, loaded: Loaded, asked: Mapping[Owner, Asked], events: list[ChatEvent]
) -> None:
    keys = columns_of(asked, lambda one: one.keys)
    for row in await tx.fetch(MEMORIES_BY_KEY, *keys):
        _add_memory(loaded, row)
    for row in await tx.fetch(ORG_BY_KEY, *keys):
        if (state := loaded.states.get(row["role_agent_id"])) is not None:
            state.org_by_key[row["key"]] = row["content"]
    for row in await tx.fetch(MEMORIES_BY_HASH, *columns_of(asked, lambda one: one.hashes)):
        _add_memory(loaded, row)
    refs = {_source_ref(e) for e in events if e.kind.value in ("edit", "delete")} | {
        _reply_ref(e) for e in events if e.reply_to is not None
    }
    if refs:
        # As text: the driver would take a list in a list for an array of two dimensions.
        wanted = [
            (org, agent, _reference(channel, ref)) for org, agent, channel, ref in sorted(refs, key=str)
        ]
        for row in await tx.fetch(MEMORIES_BY_SOURCE, *_columns(wanted, 3)):
            _add_memory(loaded, row)


def _reference(channel_id: UUID, message_ref: str) -> str:
    return orjson.dumps([{"channel_id": str(channel_id), "message_ref": message_ref}]).decode()


def _source_ref(event: ChatEvent) -> tuple[UUID, UUID, UUID, str]:
    return (event.org_id, event.role_agent_id, event.channel_id, event.message_ref)


def _reply_ref(event: ChatEvent) -> tuple[UUID, UUID, UUID, str]:
    ref = event.reply_to.message_ref if event.reply_to is not None else event.message_ref
    return (event.org_id, event.role_agent_id, event.channel_id, ref)


def memory_facts(row: Any) -> MemoryFacts:
    """A memory's row as the decision sees it."""
    return MemoryFacts(
        memory_id=row["id"],
        key=row["key"],
        content=row["content"],
        content_hash=bytes(row["content_hash"]),
        subject_identity=row["subject_identity"],
        risk=row["risk"],
        origin=row["origin"],
        layer=row["layer"],
        row_version=row["row_version"],
        sender_identity=row["sender_identity_id"],
        own_put=row["own_put"],
    )


def _add_memory(loaded: Loaded, row: Any) -> None:
    memory = memory_facts(row)
    state = loaded.states.get(row["role_agent_id"])
    if state is None:
        return
    sources = [
        (UUID(ref["channel_id"]), ref["message_ref"]) for ref in row["source_refs"] if ref.get("message_ref")
    ]
    new = [
        s
        for s in sources
        if all(m.memory_id != memory.memory_id for m in state.memories_by_source.get(s, []))
    ]
    state.add_memory(memory, new)
