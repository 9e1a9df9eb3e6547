"""Triage: what goes on, what ends here, and what no classifier is asked about."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from prometheus_client import CollectorRegistry

from dw_contracts.dead_letters import FailureKind
from dw_contracts.events.chat import Correction, EventKind, Learning, Platform, Sender, Tool
from dw_contracts.topics import CANDIDATES, OUTCOMES
from dw_learning.seal import is_sealed
from dw_learning.triage import TRIAGE_VERSION, Readable, TriageVerdict, classify
from dw_runtime import Handled, Permanent, Received
from dw_testkit.events import KEYS, chat_event, sealed_bytes
from dw_testkit.hostile import hostile_records
from dw_triage.handlers import Classify, Triage, parse_event
from dw_triage.measures import Measures
from dw_triage.routing import RULES

ORG, AGENT, CHANNEL = (uuid.UUID(int=n) for n in range(1, 4))
BOT = Sender(platform=Platform.SLACK, external_user_id="B1", kind="bot")


@dataclass
class Rec:
    """A record as the client library gives it."""

    value: bytes | None
    key: bytes | None = f"{ORG}:{AGENT}".encode()
    topic: str = "chat.events.v1"
    partition: int = 0
    offset: int = 0
    timestamp: int = 0
    headers: Sequence[tuple[str, bytes]] = field(default_factory=tuple)


async def triage(*events: Any, candidate: bool = False) -> Handled:
    asked: list[Readable] = []

    def classify(inputs: Sequence[Readable]) -> list[TriageVerdict]:
        asked.extend(inputs)
        return [TriageVerdict(candidate, "nothing_lasting", 0.1) for _ in inputs]

    records = [Rec(sealed_bytes(event), offset=n) for n, event in enumerate(events)]
    batch = [Received(record, parse_event(record)) for record in records]
    return await judge(classify).handle(batch)


def judge(classify: Classify, registry: CollectorRegistry | None = None) -> Triage:
    return Triage(
        classify, lambda: datetime(2026, 1, 1, tzinfo=UTC), Measures(registry or CollectorRegistry())
    )


def event(text: str = "The bike room is called Velo.", **fields: Any) -> Any:
    return chat_event(ORG, AGENT, CHANNEL, text, **fields)


async def test_skips_of_a_batch_are_one_record() -> None:
    handled = await triage(event(), event())
    (record,) = handled.outgoing
    assert record.topic == OUTCOMES
    assert [skip["reason"] for skip in orjson.loads(record.value)["skips"]] == ["nothing_lasting"] * 2


async def test_a_candidate_carries_the_event_with_its_seal_intact() -> None:
    handled = await triage(event(), candidate=True)
    (record,) = handled.outgoing
    assert record.topic == CANDIDATES
    body = orjson.loads(record.value)
    assert body["needs_model"] is True
    assert is_sealed(body["event"], KEYS)


@pytest.mark.parametrize(
    ("fields", "goes_on", "reason"),
    [
        ({"kind": EventKind.DELETE}, True, "delete"),
        ({"redactions": ({"field": "text", "type": "password", "span": (0, 1)},)}, True, "redaction"),
        ({"injection_suspect": True}, True, "injection_suspect"),
        ({"claim": "ab" * 32}, True, "claim"),
        ({"claim": "ab" * 32, "learning": Learning.OFF}, True, "claim"),
        ({"sender": BOT}, False, "bot"),
        ({"kind": EventKind.MESSAGE_OUT}, False, "own_reply"),
        ({"learning": Learning.OFF}, False, "learning_off"),
        ({"imported": True}, False, "imported"),
        ({"kind": EventKind.EDIT, "learning": Learning.OFF}, True, "edit"),
    ],
)
async def test_what_needs_no_classifier(fields: dict[str, Any], goes_on: bool, reason: str) -> None:
    (record,) = (await triage(event(**fields), candidate=True)).outgoing
    body = orjson.loads(record.value)
    assert reason in RULES
    if goes_on:
        assert (body["reasons"], body["needs_model"]) == ([reason], False)
    else:
        assert [skip["reason"] for skip in body["skips"]] == [reason]


async def test_a_granted_bot_is_asked_about() -> None:
    (record,) = (await triage(event(sender=BOT, bot_granted=True), candidate=True)).outgoing
    assert record.topic == CANDIDATES


def test_a_key_that_names_another_agent_is_a_dead_letter() -> None:
    with pytest.raises(Permanent, match="key"):
        parse_event(Rec(sealed_bytes(event()), key=b"somebody:else"))


def test_an_unreadable_event_says_which_field_is_wrong() -> None:
    raw = orjson.loads(sealed_bytes(event()))
    del raw["sender"]
    with pytest.raises(Permanent, match="sender"):
        parse_event(Rec(orjson.dumps(raw)))


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "The Lisbon office closes at 18:00."},
        {"kind": EventKind.CORRECTION, "correction": Correction(wrong="It closes at 17:00.", right="The Lisbon office closes at 18:00.")},
        {"kind": EventKind.TOOL_RUN, "tool": Tool(name="calendar", input="", output="The Lisbon office closes at 18:00.")},
    ],
)  # fmt: skip
async def test_chat_corrections_and_tool_runs_can_each_start_learning(fields: dict[str, Any]) -> None:
    """With the classifier that is shipped (R26, R54)."""
    record = Rec(sealed_bytes(event(**fields)))
    handled = await judge(lambda inputs: classify(inputs)).handle([Received(record, parse_event(record))])
    (outgoing,) = handled.outgoing
    assert outgoing.topic == CANDIDATES
    assert orjson.loads(outgoing.value)["needs_model"] is True


async def test_a_candidate_says_why_how_sure_and_by_which_version() -> None:
    (record,) = (await triage(event(), candidate=True)).outgoing
    body = orjson.loads(record.value)
    assert body["reasons"] == ["nothing_lasting"]
    assert (body["triage_version"], body["score"]) == (TRIAGE_VERSION, 100)


async def test_skips_say_by_which_version() -> None:
    (record,) = (await triage(event())).outgoing
    assert orjson.loads(record.value)["triage_version"] == TRIAGE_VERSION


async def test_a_classifier_that_fails_lets_nothing_through() -> None:
    def broken(_: Sequence[Readable]) -> list[TriageVerdict]:
        raise RuntimeError("weights are gone")

    record = Rec(sealed_bytes(event()))
    handler = judge(broken)
    with pytest.raises(RuntimeError, match="weights"):
        await handler.handle([Received(record, parse_event(record))])


async def test_a_verdict_too_few_is_a_failure_and_no_candidate() -> None:
    record = Rec(sealed_bytes(event()))
    handler = judge(lambda _: [])
    with pytest.raises(ValueError, match="zip"):
        await handler.handle([Received(record, parse_event(record))])


@pytest.mark.parametrize("candidate", [True, False])
async def test_triage_itself_can_save_nothing(candidate: bool) -> None:
    handled = await triage(event(), event(kind=EventKind.DELETE), candidate=candidate)
    assert {record.topic for record in handled.outgoing} <= {CANDIDATES, OUTCOMES}


def test_each_kind_of_hostile_record_has_its_reason_and_only_a_said_version_counts_towards_the_limit() -> (
    None
):
    good = event()
    key = f"{ORG}:{AGENT}".encode()
    for hostile in hostile_records(key, sealed_bytes(good)):
        with pytest.raises(Permanent) as refused:
            parse_event(Rec(hostile.value, key=hostile.key))
        assert hostile.reason in str(refused.value), hostile.kind
        counts = refused.value.kind is FailureKind.UNKNOWN_VERSION
        assert counts == (hostile.kind == "unknown version"), hostile.kind


async def test_events_are_counted_by_decision_and_reason_and_by_none_that_is_not_declared() -> None:
    registry = CollectorRegistry()

    def classify(inputs: Sequence[Readable]) -> list[TriageVerdict]:
        told = {
            "fact": TriageVerdict(True, "lasting_fact", 0.9),
            "thanks": TriageVerdict(False, "thanks", 0.1),
        }
        return [told.get(one.text) or TriageVerdict(False, one.text, 0.1) for one in inputs]  # type: ignore[arg-type]

    events = [
        event("fact"),
        event("thanks"),
        event("thanks"),
        event("a text of a user"),
        event(kind=EventKind.DELETE),
    ]
    records = [Rec(sealed_bytes(one), offset=n) for n, one in enumerate(events)]
    await judge(classify, registry).handle([Received(record, parse_event(record)) for record in records])
    found = {
        (sample.labels["decision"], sample.labels["reason"]): sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "dw_triage_events_total"
    }
    assert found == {
        ("candidate", "lasting_fact"): 1,
        ("candidate", "delete"): 1,
        ("skip", "thanks"): 2,
        ("skip", "other"): 1,
    }
