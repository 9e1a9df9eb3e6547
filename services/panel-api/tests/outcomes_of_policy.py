"""Messages that bring about each outcome of the decision, for test_every_command_is_on_record."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from panel_world import PEPPER, World

from dw_contracts.events.chat import ChatEvent, EventKind, Platform, ReplyTo, Sender
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.identity_claims import claim_mac
from dw_policy.decide_batch import DetectionIn
from dw_testkit.events import chat_event

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def said(world: World, text: str, account: str = "U1001", **fields: Any) -> ChatEvent:
    sender = Sender(platform=Platform.SLACK, workspace_ref="T1", external_user_id=account)
    place = (world.org_id, world.ids["it_agent"], world.ids["helpdesk"])
    return chat_event(*place, text, sender=sender, received_at=NOW, occurred_at=NOW, **fields)


def answer(
    event: ChatEvent, *texts: str, kind: ItemKind = ItemKind.MEMORY_FACT, key: str = "k"
) -> DetectionIn:
    items = tuple(
        DetectionItem(kind=kind, text=text, span=(0, len(text)), key=key, risk_hint="low", confidence=0.85)
        for text in texts
    )
    detection = Detection(
        schema_version=1,
        decision_id=event.event_id,
        event=event.model_dump(mode="json", exclude_defaults=True),
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=items,
        provider="offline",
        triage_version="t",
    )
    return DetectionIn(detection, event, sealed=True, trace_id="t" * 32)


FACT = "The bike room is called Velo."
WEIGHTY = "Invoices above 500 euros are approved by Rita."
RETRACT = "please forget that"


def saves(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT), FACT)]


def proposes(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT, "U9"), FACT)]


def merges(world: World) -> list[DetectionIn]:
    return [answer(said(world, FACT, "U8"), FACT), answer(said(world, FACT, "U9"), FACT)]


def blocks(world: World) -> list[DetectionIn]:
    redactions = ({"field": "text", "type": "password", "span": (0, 5)},)
    return [answer(said(world, "it is [redacted]", redactions=redactions))]


def source_changes(world: World) -> list[DetectionIn]:
    first = said(world, FACT, message_ref="m1")
    return [answer(first, FACT), answer(said(world, "", message_ref="m1", kind=EventKind.DELETE, revision=1))]


def is_capped(world: World) -> list[DetectionIn]:
    texts = [f"The bike room number {n} is called Velo {n}." for n in range(52)]
    return [answer(said(world, text, "U9"), text, key=f"k{n}") for n, text in enumerate(texts)]


def forgets(world: World) -> list[DetectionIn]:
    """One message taught what was saved and what waits; its reply takes both back."""
    text = f"{FACT} {WEIGHTY}"
    reply = ReplyTo(message_ref="m1", author_kind="human", text=text)
    back = said(world, RETRACT, message_ref="m2", reply_to=reply)
    taught = answer(said(world, text, message_ref="m1"), FACT, WEIGHTY)
    return [taught, answer(back, RETRACT, kind=ItemKind.RETRACT, key="x")]


def claims(world: World) -> list[DetectionIn]:
    """A code that Farid was given is posted from an account that nobody has."""
    code = "dw-verify-AAAAAAAAAA"
    mac = claim_mac(code, world.org_id, "slack", PEPPER)
    world.query(
        "INSERT INTO dw_identity_claims (id, org_id, user_id, platform, code_mac, created_at, expires_at)"
        " VALUES (%s, %s, %s, 'slack', %s, %s, %s)",
        uuid.uuid4(), world.org_id, world.ids["farid"], mac, NOW, NOW + timedelta(minutes=10),
    )  # fmt: skip
    return [answer(said(world, "[verification code]", "U7", claim=mac))]


# Every outcome of the decision, messages that bring it about, and one event that it must write.
OUTCOMES: dict[str, tuple[Callable[[World], list[DetectionIn]], str]] = {
    "Save": (saves, "memory_auto_saved"),
    "Propose": (proposes, "learning_proposed"),
    "Merge": (merges, "evidence_added"),
    "Block": (blocks, "secret_blocked"),
    "SourceChanged": (source_changes, "source_deleted"),
    "Capped": (is_capped, "cap_reached"),
    "Forget": (forgets, "item_withdrawn"),
    "IdentityClaim": (claims, "identity_claimed"),
}
