"""Golden examples: for each message a minimal and a full one, with fixed ids and times.

They are written into `examples/` and shown in the AsyncAPI document. Tests hold that each one reads back to the same
bytes, and that together the full ones use every field.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import orjson

from dw_contracts.events.candidates import Candidate
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import (
    ChatEvent,
    Correction,
    EventKind,
    Flags,
    Learning,
    Platform,
    Redaction,
    ReplyTo,
    Seal,
    Sender,
    Tool,
)
from dw_contracts.events.comments import AgentComment
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.events.outcomes import Skip, SkipOutcomes
from dw_contracts.events.wakeups import Wakeup
from dw_contracts.ids import ChannelId, OrgId, RoleAgentId, event_id_of
from dw_contracts.model import Message

ORG: Final = OrgId(UUID("0a000000-0000-4000-8000-000000000001"))
AGENT: Final = RoleAgentId(UUID("0a000000-0000-4000-8000-000000000002"))
CHANNEL: Final = ChannelId(UUID("0a000000-0000-4000-8000-000000000003"))
OTHER_CHANNEL: Final = UUID("0a000000-0000-4000-8000-000000000004")
MEMORY: Final = UUID("0a000000-0000-4000-8000-000000000005")
CHANGE: Final = UUID("0a000000-0000-4000-8000-000000000006")
REQUEST: Final = UUID("0a000000-0000-4000-8000-000000000007")
COMMENT: Final = UUID("0a000000-0000-4000-8000-000000000008")
TASK: Final = UUID("0a000000-0000-4000-8000-000000000009")
WAKEUP: Final = UUID("0a000000-0000-4000-8000-00000000000a")
SAID: Final = datetime(2026, 3, 2, 9, 15, 0, tzinfo=UTC)
TAKEN: Final = datetime(2026, 3, 2, 9, 15, 0, 250_000, tzinfo=UTC)
LATER: Final = datetime(2026, 3, 2, 9, 16, 0, tzinfo=UTC)
# The seals below were made with this key, which is public and seals nothing but these examples.
SEAL_KEYS: Final = "golden:" + "11" * 32
TRIAGE: Final = "rules-1"

MAYA: Final = Sender(platform=Platform.SLACK, workspace_ref="T024BE7LD", external_user_id="U0G9QF9C6")


def _event_id(kind: EventKind, message_ref: str, revision: int = 0) -> UUID:
    return event_id_of(ORG, AGENT, CHANNEL, kind, message_ref, revision)


def _chat_minimal() -> ChatEvent:
    return ChatEvent(
        schema_version=1,
        event_id=_event_id(EventKind.MESSAGE_IN, "1772442900.000100"),
        org_id=ORG,
        role_agent_id=AGENT,
        channel_id=CHANNEL,
        kind=EventKind.MESSAGE_IN,
        message_ref="1772442900.000100",
        sender=MAYA,
        text="The VPN portal is vpn.corp.example.",
        occurred_at=SAID,
        received_at=TAKEN,
        seal=Seal(key_id="golden", mac="d8673e9734fcecbfe7ebddd5ebc11afa766e94d1bf9a48e9f9dae5c033e86785"),
    )


def _chat_full() -> ChatEvent:
    """No event of a platform looks like this: kinds exclude each other's parts, and here every field is used."""
    return ChatEvent(
        schema_version=1,
        event_id=_event_id(EventKind.CORRECTION, "1772442960.000200", 1_772_442_960_000),
        org_id=ORG,
        role_agent_id=AGENT,
        channel_id=CHANNEL,
        kind=EventKind.CORRECTION,
        message_ref="1772442960.000200",
        revision=1_772_442_960_000,
        sender=MAYA.model_copy(update={"kind": "bot", "display_name": "Maya Lindqvist"}),
        flags=Flags(forwarded=True, quoted=True, edited=True, via_bot=True, anonymous=True),
        text="No, the VPN portal is vpn.corp.example. The password is [password]",
        reply_to=ReplyTo(
            message_ref="1772442930.000150", author_kind="agent", text="The VPN portal is old.corp.example."
        ),
        thread_ref="1772442900.000100",
        correction=Correction(wrong="old.corp.example", right="vpn.corp.example"),
        tool=Tool(name="dns_lookup", input="vpn.corp.example", output="192.0.2.10"),
        redactions=(Redaction(field="text", type="password", span=(56, 66)),),
        injection_suspect=True,
        claim="5e2d0f1c" * 8,
        imported=True,
        learning=Learning.PROPOSE,
        bot_granted=True,
        gateway_proves_sender=False,
        occurred_at=SAID,
        received_at=LATER,
        seal=Seal(key_id="golden", mac="ada73d43f3691ec1b1779bfc330c8a38293602fbf272a900533fc09de453a327"),
    )


def _embedded(event: ChatEvent) -> dict[str, Any]:
    """An event as candidates and detections carry it: what ingest wrote, parsed and nothing else."""
    parsed: dict[str, Any] = orjson.loads(event.to_bytes())
    return parsed


def _candidates() -> dict[str, Message]:
    minimal = Candidate(
        schema_version=1,
        event=_embedded(_chat_minimal()),
        needs_model=True,
        reasons=("fact_shape",),
        triage_version=TRIAGE,
    )
    full = Candidate(
        schema_version=1,
        event=_embedded(_chat_full()),
        needs_model=False,
        reasons=("redacted", "injection_suspect"),
        score=930,
        triage_version=TRIAGE,
    )
    return {"minimal": minimal, "full": full}


def _detections() -> dict[str, Message]:
    nothing = _chat_minimal()
    minimal = Detection(
        schema_version=1,
        decision_id=nothing.event_id,
        org_id=ORG,
        role_agent_id=AGENT,
        provider="offline",
        triage_version=TRIAGE,
    )
    full = Detection(
        schema_version=1,
        decision_id=nothing.event_id,
        event=_embedded(nothing),
        org_id=ORG,
        role_agent_id=AGENT,
        items=(
            DetectionItem(
                kind=ItemKind.CORRECTION,
                text="The VPN portal is vpn.corp.example.",
                span=(0, 35),
                key="vpn-portal",
                subject="VPN portal",
                risk_hint="high",
                confidence=0.85,
                memory_type="correction",
                category="it",
                layer="operating",
            ),
        ),
        suggested_class="propose_memory",
        reasons=("fact_shape",),
        provider="openai",
        model="small-1",
        prompt_version="learning_detect-3",
        triage_version=TRIAGE,
        degraded=True,
    )
    return {"minimal": minimal, "full": full}


def _outcomes() -> dict[str, Message]:
    minimal = SkipOutcomes(
        schema_version=1,
        partition=0,
        first_offset=0,
        last_offset=0,
        triage_version=TRIAGE,
        at=LATER,
        skips=(),
    )
    skip = Skip(
        event_id=_event_id(EventKind.MESSAGE_IN, "1772442950.000170"),
        reason="small_talk",
    )
    full = minimal.model_copy(
        update={"partition": 7, "first_offset": 40, "last_offset": 63, "skips": (skip,)}
    )
    return {"minimal": minimal, "full": full}


def _changes() -> dict[str, Message]:
    minimal = LearningChange(
        schema_version=1,
        change_id=CHANGE,
        type="mode_changed",
        org_id=ORG,
        subject_type="org",
        version=3,
        at=LATER,
    )
    full = minimal.model_copy(
        update={
            "type": "memory_auto_saved",
            "role_agent_id": AGENT,
            "subject_type": "memory",
            "subject_id": MEMORY,
            "version": 12,
        }
    )
    return {"minimal": minimal, "full": full}


def _drafts() -> dict[str, Message]:
    minimal = DraftRequest(
        schema_version=1,
        request_id=REQUEST,
        org_id=ORG,
        role_agent_id=AGENT,
        topic="invoice-approval",
        corrections=(),
        source_event_ids=(),
        at=LATER,
    )
    full = minimal.model_copy(
        update={
            "corrections": ("Ask the budget owner first.", "Ask the budget owner before finance."),
            "source_event_ids": (
                _event_id(EventKind.CORRECTION, "1772442960.000200"),
                _event_id(EventKind.CORRECTION, "1772529360.000100"),
            ),
        }
    )
    return {"minimal": minimal, "full": full}


def _comments() -> dict[str, Message]:
    minimal = AgentComment(
        schema_version=1,
        comment_id=COMMENT,
        org_id=ORG,
        role_agent_id=AGENT,
        channel_id=CHANNEL,
        author_type="user",
        body="Which address has the VPN portal?",
        source="slack",
        at=SAID,
    )
    full = minimal.model_copy(
        update={
            "task_id": TASK,
            "author_type": "agent",
            "author_display_name": "IT agent",
            "body": "It is vpn.corp.example.",
            "source": "agent",
            "reply_channel_id": OTHER_CHANNEL,
        }
    )
    return {"minimal": minimal, "full": full}


def _wakeups() -> dict[str, Message]:
    minimal = Wakeup(
        schema_version=1, wakeup_id=WAKEUP, org_id=ORG, role_agent_id=AGENT, source="comment", at=LATER
    )
    return {"minimal": minimal, "full": minimal.model_copy(update={"source": "approval_resolved"})}


def examples() -> dict[str, dict[str, Message]]:
    """Examples by the message's type, then by name."""
    return {
        ChatEvent.ce_type: {"minimal": _chat_minimal(), "full": _chat_full()},
        Candidate.ce_type: _candidates(),
        SkipOutcomes.ce_type: _outcomes(),
        Detection.ce_type: _detections(),
        LearningChange.ce_type: _changes(),
        DraftRequest.ce_type: _drafts(),
        AgentComment.ce_type: _comments(),
        Wakeup.ce_type: _wakeups(),
    }
