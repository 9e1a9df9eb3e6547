"""Items that people's feedback and suggestions become (C59, C95, R137). Pure."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from dw_learning.extract.keys import topic_key
from dw_learning.item_edit import Assessed, dedupe_key
from dw_learning.memory_life import MemoryState
from dw_learning.signals import signal
from dw_store.item_acts import NewItem
from dw_store.memory_rows import Known


def edit_proposal(known: Known, text: str, state: MemoryState) -> NewItem:
    """Somebody without authority, or about something that matters, says it otherwise."""
    return _about(
        known, "memory_proposal", "update", {**_payload(known), "content": text}, state.risk, state.is_sensitive,
        "feedback", "A member of the org would say it otherwise.", f"update:{known.memory_id}:{signal(text)}",
    )  # fmt: skip


def archive_proposal(known: Known) -> NewItem:
    """Somebody without authority wants it gone."""
    risk, marked = known.state.risk, known.state.is_sensitive
    return _about(
        known, "memory_proposal", "archive", _payload(known), risk, marked, "feedback",
        "A member of the org asked to forget this.", f"archive:{known.memory_id}",
    )  # fmt: skip


def review_proposal(known: Known) -> NewItem:
    """People rejected what a person had approved: does it stay?"""
    risk, marked = known.state.risk, known.state.is_sensitive
    return _about(
        known, "review", "review", _payload(known), risk, marked, "feedback",
        "It was rejected so often that it is in doubt.", f"review:{known.memory_id}",
    )  # fmt: skip


def promotion_proposal(known: Known) -> NewItem:
    """An Agent Manager would tell it to all agents of the org."""
    risk = "sensitive" if known.state.risk == "sensitive" else "high"
    return _about(
        known, "memory_proposal", "promote", _payload(known), risk, known.state.is_sensitive, "promotion",
        "An Agent Manager proposes to tell this to all role-agents of the org.", f"promote:{known.memory_id}",
    )  # fmt: skip


def suggestion(agent: UUID, text: str, found: Assessed) -> NewItem:
    """R137: of somebody who manages a channel of the agent."""
    payload: dict[str, Any] = {
        "content": text,
        "key": topic_key(text, None),
        "layer": "knowledge",
        "memory_type": "fact",
        "category": "fact",
        "subject_identity": None,
        "marks": [],
    }
    return NewItem(
        role_agent_id=agent,
        kind="memory_proposal",
        action="create",
        payload=payload,
        risk=found.risk,
        is_sensitive=found.is_sensitive,
        reason_code="suggestion",
        explanation="Somebody who manages a channel of this role-agent suggests it.",
        dedupe_key=dedupe_key(payload),
    )


def _payload(known: Known) -> dict[str, Any]:
    row = known.row
    return {
        "content": known.state.content,
        "key": row["key"],
        "layer": row["layer"],
        "memory_type": row["memory_type"],
        "category": row["category"],
        "subject_identity": str(row["subject_identity"]) if row["subject_identity"] else None,
        "marks": [],
    }


def _about(
    known: Known,
    kind: str,
    action: str,
    payload: dict[str, Any],
    risk: str,
    is_sensitive: bool,
    reason: str,
    explanation: str,
    dedupe: str,
) -> NewItem:
    return NewItem(
        role_agent_id=known.row["role_agent_id"],
        kind=kind,
        action=action,
        payload=payload,
        risk=risk,
        is_sensitive=is_sensitive,
        reason_code=reason,
        explanation=explanation,
        dedupe_key=dedupe,
        target_memory_id=known.memory_id,
        base_version=known.row_version,
    )
