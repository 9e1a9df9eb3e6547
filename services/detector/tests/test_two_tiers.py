"""One interface for both tiers and both phases (R53): triage's candidate in, a detection out, whoever looks at it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from prometheus_client import CollectorRegistry

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.chat import Correction, EventKind, Tool
from dw_contracts.events.detections import Detection
from dw_contracts.ids import partition_key
from dw_detector.adapters.offline import OfflineProvider
from dw_detector.asking import AnswerWriter, Asking
from dw_detector.detect import Provider
from dw_detector.gate.slots import FairSlots
from dw_detector.handlers import Candidates, parse_candidate
from dw_learning.triage import classify
from dw_runtime import Received
from dw_testkit.events import chat_event, sealed_bytes
from dw_triage.handlers import Triage
from dw_triage.handlers import parse_event as parse_chat
from dw_triage.measures import Measures
from services.detector.tests.gate_world import AT, FACT, GOOD, World, items, openai_answer

pytestmark = pytest.mark.integration
Make = Callable[..., World]
OF_A_TOOL = "The new VPN client is called Anchor."  # what tools return must say more to be worth a look
SOURCES: dict[str, dict[str, Any]] = {
    "chat": {"text": FACT},
    "correction": {
        "kind": EventKind.CORRECTION,
        "correction": Correction(wrong="It is called Rad.", right=FACT),
    },
    "tool run": {"kind": EventKind.TOOL_RUN, "tool": Tool(name="rooms", input="", output=OF_A_TOOL)},
}


def received(value: bytes, key: bytes, parse: Any) -> Received[Any]:
    record = SimpleNamespace(topic="t", partition=0, offset=0, key=key, value=value, headers=(), timestamp=0)
    return Received(record, parse(record))


async def through(world: World, provider: Provider, fields: dict[str, Any]) -> dict[str, Any]:
    """A sealed event through triage as it is shipped and through the detector with this second tier."""
    org = world.org
    key = partition_key(org.org_id, org.agent_id)
    event = received(
        sealed_bytes(chat_event(org.org_id, org.agent_id, org.channel_id, **fields)), key, parse_chat
    )
    triage = Triage(
        lambda inputs: classify(inputs),
        lambda: datetime(2026, 1, 1, tzinfo=UTC),
        Measures(CollectorRegistry()),
    )
    (candidate,) = (await triage.handle([event])).outgoing
    assert candidate.ce_type == Candidate.ce_type
    asking = Asking(provider, world.database, AnswerWriter(world.database), lambda: AT)
    steps = Candidates(asking, FairSlots(1), world.database, lambda: AT)
    record = received(candidate.value, key, parse_candidate)
    result = await steps.ask(record, await steps.load([record]))
    (outgoing,) = (await steps.finish([(record, result)])).outgoing
    assert outgoing.ce_type == Detection.ce_type
    found: dict[str, Any] = orjson.loads(outgoing.value)
    return found


@pytest.mark.parametrize("source", list(SOURCES))
async def test_what_the_local_tier_lets_through_is_answered_alike_by_rules_and_by_a_model(
    world: Make, source: str
) -> None:
    fact = OF_A_TOOL if source == "tool run" else FACT
    made = world(openai_answer(items(GOOD | {"text": fact, "span": [0, len(fact)]})))
    local = await through(made, OfflineProvider(), SOURCES[source])
    remote = await through(made, made.provider, SOURCES[source])
    assert (local["provider"], remote["provider"]) == ("offline", "openai")
    for told in (local, remote):
        assert [item["text"] for item in told["items"]] == [fact]
        assert told["event"]["seal"], "policy can verify it, whoever answered"
        assert told["reasons"]
    assert len(made.asked) == 1, "the local one costs nothing"
