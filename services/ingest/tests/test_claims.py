"""A code that proves an account leaves the text at the door (C103): where it may claim, and where it may not."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest

from dw_contracts.events.chat import Learning, Platform
from dw_contracts.http.ingest import InboundEvent
from dw_ingest.accept import build_events
from dw_ingest.adapters.directory import Binding, GatewayKey
from dw_ingest.redact import Pace
from dw_learning.identity_claims import claim_mac

ORG, AGENT, CHANNEL = (uuid.UUID(int=n) for n in range(1, 4))
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
CODE = "dw-verify-K7Q2MXW4PA"
PEPPER = "00" * 32
BINDING = Binding(CHANNEL, Platform.SLACK, Learning.AUTO, True, (AGENT,))


async def built(text: str = CODE, *, proves: bool = True, **fields: Any) -> Any:
    sender = fields.pop("sender", {"platform": "slack", "external_user_id": "U1"})
    inbound = InboundEvent.model_validate(
        {"channel": "C1", "message_ref": "m1", "sender": sender, "text": text} | fields
    )
    key = GatewayKey(uuid.UUID(int=9), ORG, (CHANNEL,), proves)
    [event] = await build_events(inbound, BINDING, key, NOW, Pace(), PEPPER)
    return event


@pytest.mark.parametrize("text", [CODE, CODE.lower(), f"here it is: {CODE}.", f"  {CODE}\n"])
async def test_a_persons_own_code_becomes_a_claim_and_leaves_the_text(text: str) -> None:
    event = await built(text)
    assert event.claim == claim_mac(CODE, ORG, "slack", PEPPER)
    assert CODE.lower()[10:] not in event.model_dump_json().lower()
    assert event.redactions == ()


def test_a_claim_is_bound_to_org_and_platform() -> None:
    here = claim_mac(CODE, ORG, "slack", PEPPER)
    assert here != claim_mac(CODE, uuid.UUID(int=7), "slack", PEPPER)
    assert here != claim_mac(CODE, ORG, "telegram", PEPPER)
    assert here != claim_mac(CODE, ORG, "slack", "11" * 32)


@pytest.mark.parametrize(
    "fields",
    [
        {"proves": False},
        {"flags": {"forwarded": True}},
        {"flags": {"quoted": True}},
        {"flags": {"edited": True}},
        {"flags": {"via_bot": True}},
        {"flags": {"anonymous": True}},
        {"kind": "edit", "revision": 5},
        {"kind": "message_out"},
        {"imported": True},
        {"sender": {"platform": "slack", "external_user_id": "B1", "kind": "bot"}},
        {"text": f"> {CODE}"},
        {"text": f"```\n{CODE}\n```"},
        {"text": f"{CODE} or dw-verify-AAAAAAAAAA"},
    ],
    ids=str,
)
async def test_elsewhere_it_claims_nothing_and_is_redacted_all_the_same(fields: dict[str, Any]) -> None:
    event = await built(**fields)
    assert event.claim is None
    assert CODE[10:] not in event.model_dump_json()
    assert {redaction.type for redaction in event.redactions} == {"verification_code"}


async def test_a_code_in_what_is_answered_to_claims_nothing() -> None:
    event = await built("is this yours?", reply_to={"message_ref": "m0", "text": CODE})
    assert event.claim is None
    assert CODE[10:] not in event.model_dump_json()


async def test_a_caller_cannot_bring_a_claim() -> None:
    assert (await built("hello", claim="ab" * 32)).claim is None
