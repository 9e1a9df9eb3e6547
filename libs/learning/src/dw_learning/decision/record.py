"""What a decision rested on, as it stands in its record, and back again (D15, C79): years later it is decided anew from
the record and must come out equal.

The record holds ids, versions and verdicts, and no text of memories or items: those stand in their own rows, where an
erasure and a purge find them. Whoever decides anew brings them along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, Learning
from dw_contracts.events.detections import DetectionItem
from dw_learning.decision.case import Case
from dw_learning.decision.facts import (
    AgentFacts,
    Caps,
    ChannelFacts,
    ItemFacts,
    MemoryFacts,
    PendingFacts,
    SenderFacts,
    SourceFacts,
)
from dw_learning.decision.items import draft_of
from dw_learning.decision.outcomes import Merge, Nothing, Outcome
from dw_learning.decision.proposals import dedupe_of
from dw_learning.decision.state import AgentState, SourceKey
from dw_learning.normal import content_hash
from dw_learning.policy_rules import Rule, RuleBook

Record = dict[str, Any]
_READERS: dict[type, tuple[tuple[str, ...], attrgetter[Any]]] = {}


def _fields(facts: Any) -> Record:
    """A flat dataclass as a mapping. Every decision pays for several: dataclasses.asdict copies in depth, at ten times
    the cost."""
    kind = type(facts)
    if (known := _READERS.get(kind)) is None:
        names = tuple(field.name for field in fields(kind))
        known = _READERS[kind] = (names, attrgetter(*names))
    return dict(zip(known[0], known[1](facts), strict=True))


def counters_of(state: AgentState) -> Record:
    """How full it is, before the decision."""
    return {
        "saves_today": state.saves_today,
        "unverified_saves_today": state.unverified_saves_today,
        "open_items": state.open_items,
        "unpublished_items": state.unpublished_items,
    }


def record_of(case: Case, state: AgentState) -> Record:
    """Everything of `state` that the decision of `case` can look at, before it is decided."""
    own, answered = _sources(case)
    memories = {memory.memory_id: memory for memory in _memories(case, state, own, answered)}
    source = state.sources.get(own)
    return counters_of(state) | {
        "open_of_sender": state.open_by_sender.get(case.sender_ref, 0),
        "unpublished_of_sender": state.unpublished_by_sender.get(case.sender_ref, 0),
        "agent": _fields(state.agent),
        "caps": _fields(state.caps),
        "rules": state.rules.told,
        "decided_until": state.decided_until,
        "source": _fields(source) if source is not None else None,
        "memories": [_memory_row(memory, state, own, answered) for memory in memories.values()],
        "pending": [
            {"item_id": one.item_id, "key": one.key, "sender_identity": one.sender_identity}
            for one in state.pending_by_source.get(answered, [])
        ],
        "items_of_source": list(state.items_by_source.get(own, [])),
        "org_keys": sorted({item.key for item in case.items} & set(state.org_by_key)),
        "put_by": case.put_by,
        "metadata": dict(case.metadata) if case.metadata is not None else None,
        "sender": _fields(case.sender),
        "channel": _fields(case.channel),
    }


def verdicts_of(outcomes: Sequence[Outcome]) -> Record:
    """What had been decided about the same words before: buried, hidden, waiting (C62, D14)."""
    kept = {
        number: outcome.reason
        for number, outcome in enumerate(outcomes)
        if isinstance(outcome, Nothing) and outcome.reason in ("tombstoned", "hidden")
    }
    waiting = {outcome.dedupe_key: outcome.item_id for outcome in outcomes if isinstance(outcome, Merge)}
    return {"not_again": {str(number): reason for number, reason in kept.items()}, "waiting": waiting}


def recalled(
    record: Mapping[str, Any], texts: Mapping[UUID, str], org_words: Mapping[str, str]
) -> tuple[Case, AgentState]:
    """The case and the state of a record as JSON gives it back. `texts` are those of memories and items that it names,
    as they were then; `org_words` what the org knew under `org_keys`."""
    case = _case(record)
    own, answered = _sources(case)
    agent = record["agent"]
    state = AgentState(
        AgentFacts(**agent | {"role_agent_id": UUID(agent["role_agent_id"])}), Caps(**record["caps"])
    )
    for name in counters_of(state):
        setattr(state, name, record[name])
    state.open_by_sender[case.sender_ref] = record["open_of_sender"]
    state.unpublished_by_sender[case.sender_ref] = record["unpublished_of_sender"]
    state.rules = RuleBook.of(Rule(**rule | {"rule_id": UUID(rule["rule_id"])}) for rule in record["rules"])
    state.decided_until = _time(record["decided_until"])
    if record["source"] is not None:
        state.sources[own] = SourceFacts(**record["source"])
    for row in record["memories"]:
        _recall_memory(state, row, texts, own, answered)
    state.pending_by_source[answered] = [
        PendingFacts(
            UUID(row["item_id"]), texts[UUID(row["item_id"])], row["key"], _id(row["sender_identity"])
        )
        for row in record["pending"]
    ]
    state.items_by_source[own] = [UUID(item) for item in record["items_of_source"]]
    state.org_by_key = {key: org_words[key] for key in record["org_keys"]}
    for key, item in record["waiting"].items():
        state.items[key] = ItemFacts(UUID(item), key, sender_verified=True)
    for number, reason in record["not_again"].items():
        item = case.items[int(number)]
        if reason == "tombstoned":
            state.bury(item.text)
        else:
            state.hidden[dedupe_of(draft_of(case, item))] = True
    return case, state


def _sources(case: Case) -> tuple[SourceKey, SourceKey]:
    """This message, and the one that it answers (itself where it answers none)."""
    event = case.event
    own = (event.channel_id, event.message_ref)
    return own, own if event.reply_to is None else (event.channel_id, event.reply_to.message_ref)


def _memories(case: Case, state: AgentState, own: SourceKey, answered: SourceKey) -> Iterable[MemoryFacts]:
    yield from state.memories_by_source.get(own, ())
    if case.event.reply_to is not None and answered != own:
        yield from state.memories_by_source.get(answered, ())
    identity = case.sender.identity_id
    subjects = (None,) if identity is None else (None, identity)
    for item in case.items:
        hashed = content_hash(item.text)
        for subject in subjects:
            for known in (
                state.memories_by_key.get((item.key, subject)),
                state.memories_by_hash.get((hashed, subject)),
            ):
                if known is not None:
                    yield known


def _memory_row(memory: MemoryFacts, state: AgentState, own: SourceKey, answered: SourceKey) -> Record:
    sources = {"own": own, "answered": answered}
    row = _fields(memory)
    del row["content"], row["content_hash"], row["source_refs"]
    places = [name for name, key in sources.items() if memory in state.memories_by_source.get(key, [])]
    return row | {"places": places}


def _recall_memory(
    state: AgentState, row: Mapping[str, Any], texts: Mapping[UUID, str], own: SourceKey, answered: SourceKey
) -> None:
    values = {name: value for name, value in row.items() if name != "places"}
    memory_id = UUID(row["memory_id"])
    content = texts[memory_id]
    for name in ("subject_identity", "sender_identity"):
        values[name] = _id(row[name])
    memory = MemoryFacts(
        **values | {"memory_id": memory_id, "content": content, "content_hash": content_hash(content)}
    )
    named = {"own": own, "answered": answered}
    state.add_memory(memory, dict.fromkeys(named[place] for place in row["places"]))


def _case(record: Mapping[str, Any]) -> Case:
    sender, channel = record["sender"], record["channel"]
    return Case(
        event=ChatEvent.model_validate(record["event"]),
        sealed=record["sealed"],
        sender=replace(
            SenderFacts(**sender),
            identity_id=_id(sender["identity_id"]),
            user_id=_id(sender["user_id"]),
            verified_at=_time(sender["verified_at"]),
        ),
        channel=ChannelFacts(UUID(channel["channel_id"]), channel["listens"], Learning(channel["learning"])),
        items=tuple(DetectionItem.model_validate(item) for item in record["items"]),
        put_by=_id(record["put_by"]),
        metadata=record["metadata"],
        degraded=record["degraded"],
    )


def _id(value: str | None) -> UUID | None:
    return UUID(value) if value is not None else None


def _time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value is not None else None
