"""Skills drafted by a model: through the gate under their own key, repaired once, else by template (R61, C66, D9)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from dw_contracts.events.drafts import DraftRequest
from dw_contracts.topics import DETECTIONS
from dw_detector.adapters.offline import OfflineProvider
from dw_detector.asking import AnswerWriter, Asking
from dw_detector.detect import Answer
from dw_detector.draft import AT_ONCE, TEMPLATE_VERSION, Drafts, draft_detection
from dw_detector.gate.slots import FairSlots
from dw_learning.skill_draft import draft_skill
from dw_learning.skills.format import SkillDocument, read_skill
from dw_runtime import Received
from dw_testkit.events import chat_event
from services.detector.tests.gate_world import AT, GOOD, World, items, openai_answer

pytestmark = pytest.mark.integration
Make = Callable[..., World]
TOLD = (
    "No, first turn the VPN client off.",
    "Then import the new profile.",
    "And test it by opening the intranet.",
)
BODY = """# Reset the VPN

## When To Use
Somebody's VPN does not connect.

## Procedure
1. Turn the VPN client off.
2. Import the new profile.

## Do Not Do
- Do not restart the computer.

## Verification
The intranet opens."""
STEPS = "To reset the VPN: 1. turn the client off, 2. import the new profile."
PROCEDURE = GOOD | {"kind": "skill_procedure", "text": STEPS, "span": [0, len(STEPS)], "key": "reset-vpn"}


def body(text: str) -> Any:
    return openai_answer(orjson.dumps({"body_md": text}).decode(), (200, 100))


def request(world: World, *told: str) -> DraftRequest:
    return DraftRequest(
        schema_version=1,
        request_id=uuid.uuid4(),
        org_id=world.org.org_id,
        role_agent_id=world.org.agent_id,
        topic="reset-vpn",
        corrections=told or TOLD,
        source_event_ids=(uuid.uuid4(),),
        at=datetime(2030, 1, 1, tzinfo=UTC),
    )


def received(message: Any) -> Received[Any]:
    return Received(
        SimpleNamespace(topic="t", partition=0, offset=0, key=b"", value=b"", headers=()), message
    )


def drafts(world: World, *, offline: bool = False) -> Drafts:
    writer = AnswerWriter(world.database)
    return Drafts(world.database, writer, None if offline else world.drafter, FairSlots(AT_ONCE))


async def drafted(world: World, asked: DraftRequest, **fields: Any) -> dict[str, Any]:
    """What is published for one request."""
    steps, record = drafts(world, **fields), received(asked)
    answer = await steps.ask(record, await steps.load([record]))
    (outgoing,) = (await steps.finish([(record, answer)])).outgoing
    assert (outgoing.topic, outgoing.ce_id) == (DETECTIONS, str(asked.request_id))
    found: dict[str, Any] = orjson.loads(outgoing.value)
    return found


async def test_a_draft_is_made_under_its_own_key_on_nobodys_behalf(world: Make) -> None:
    made = world(body(BODY))
    asked = request(made)
    found = await drafted(made, asked)
    assert (found["items"][0]["text"], found["model"], found["prompt_version"]) == (
        BODY,
        "small",
        "skill_draft-1",
    )
    assert found["items"][0]["kind"] == "skill_procedure"
    (row,) = made.query(
        "SELECT feature_key, actor, on_behalf_of, decision_id, prompt_version, status FROM dw_ai_usage"
    )
    actor = f"dw_worker:{made.org.agent_id}"
    assert row == ("digital_worker:skill_draft", actor, None, asked.request_id, "skill_draft-1", "ok")
    (sent,) = made.asked
    assert sent["max_tokens"] == 6_000
    assert sent["response_format"]["json_schema"]["name"] == "skill_draft"
    assert sent["messages"][1]["content"].count("<said>") == 3
    document = read_skill(draft_skill(found["items"][0]["text"], "reset-vpn", "it_agent", "high").body_md)
    assert isinstance(document, SkillDocument)


async def test_a_draft_that_misses_the_format_is_repaired_once_by_its_faults(world: Make) -> None:
    made = world(body(BODY.replace("## Verification\n", "## Checks\n")), body(BODY))
    assert (await drafted(made, request(made)))["items"][0]["text"] == BODY
    told = made.asked[1]["messages"]
    assert [turn["role"] for turn in told] == ["system", "user", "assistant", "user"]
    assert "unknown section Checks" in told[3]["content"]


@pytest.mark.parametrize("bad", ["no json", '{"body_md": ""}', '{"body_md": "## Steps\\n1. go"}'])
async def test_what_fits_not_even_then_is_a_template(world: Make, bad: str) -> None:
    made = world(openai_answer(bad))
    found = await drafted(made, request(made))
    assert len(made.asked) == 2
    assert (found["provider"], found["model"]) == ("none", TEMPLATE_VERSION)
    assert all(text in found["items"][0]["text"] for text in TOLD)


async def test_where_the_gate_refuses_or_nobody_is_there_the_template_stands_in(world: Make) -> None:
    made = world(503, models=("small",))
    assert (await drafted(made, request(made)))["model"] == TEMPLATE_VERSION
    asked = len(made.asked)
    made.query(
        "INSERT INTO dw_ai_limits (org_id, scope, killed)"
        " VALUES (%s, 'feature:digital_worker:skill_draft', TRUE)",
        made.org.org_id,
    )
    assert (await drafted(made, request(made)))["model"] == TEMPLATE_VERSION
    assert len(made.asked) == asked, "switched off: nobody was asked"
    assert (await drafted(made, request(made), offline=True))["model"] == TEMPLATE_VERSION


async def test_a_draft_is_paid_once_however_often_it_is_asked_for(world: Make) -> None:
    made = world(body(BODY))
    asked = request(made)
    assert await drafted(made, asked) == await drafted(made, asked)
    assert len(made.asked) == 1


async def test_a_secret_is_not_sent(world: Make) -> None:
    made = world(body(BODY))
    await drafted(made, request(made, "The wifi password is Heron-Barrel-47!"))
    assert made.asked == []


async def answer(world: World, text: str = STEPS) -> Answer:
    asking = Asking(
        world.provider, world.database, AnswerWriter(world.database), lambda: AT, drafter=world.drafter
    )
    told = await asking.answer(
        chat_event(world.org.org_id, world.org.agent_id, world.org.channel_id, text), None
    )
    assert isinstance(told, Answer)
    return told


async def test_a_procedure_that_somebody_told_is_written_as_a_skill(world: Make) -> None:
    made = world(openai_answer(items(GOOD, PROCEDURE)), body(BODY))
    told = await answer(made)
    assert [item.text for item in told.items] == [GOOD["text"], BODY]
    assert told.items[1].span == (0, len(STEPS)), "its evidence is where it was said"
    assert told.prompt_version == "learning_detect-2+skill_draft-1"
    keys = made.query("SELECT feature_key FROM dw_ai_usage ORDER BY feature_key")
    assert keys == [("digital_worker:learning_detect",), ("digital_worker:skill_draft",)]


async def test_a_procedure_without_a_draft_stays_as_it_was_said(world: Make) -> None:
    made = world(openai_answer(items(PROCEDURE)), openai_answer("no"))
    assert [item.text for item in (await answer(made)).items] == [STEPS]


async def test_offline_nobody_is_asked(world: Make) -> None:
    made = world(body(BODY))
    asking = Asking(OfflineProvider(), made.database, AnswerWriter(made.database), lambda: AT)
    event = chat_event(made.org.org_id, made.org.agent_id, made.org.channel_id, STEPS)
    assert isinstance(await asking.answer(event, None), Answer)
    assert made.asked == []


def test_the_template_needs_no_model(world: Make) -> None:
    assert draft_detection(request(world(body(BODY)))).model == TEMPLATE_VERSION
