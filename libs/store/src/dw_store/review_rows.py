"""Review items about memories: what each way that asks a person about one writes alike."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.item_times import DUE, EXPIRY

_TOLD: Final = ("content", "key", "layer", "memory_type", "category")
_SAME: Final = (
    "id", "org_id", "role_agent_id", "risk", "is_sensitive", "source_refs", "row_version", "confidence",
)  # fmt: skip


def payload_of(row: Any, subject_identity: UUID | None, **more: Any) -> dict[str, Any]:
    """What an item shows of a memory."""
    return {name: row[name] for name in _TOLD} | {"subject_identity": subject_identity, "marks": []} | more


def review_of(row: Any) -> dict[str, Any]:
    """A memory that the clock asks about, with the id of its item; reason and times are its statement's."""
    payload = payload_of(row, row["subject_identity"])
    return {name: row[name] for name in _SAME} | {"item_id": uuid.uuid4(), "payload": payload}


def review_item(
    row: Any,
    *,
    org_id: UUID,
    role_agent_id: UUID,
    sensitive: bool,
    reason: str,
    explanation: str,
    payload: dict[str, Any],
    dedupe_key: str,
    proposed_by: str,
    now: datetime,
) -> dict[str, Any]:
    """A whole row for apply_sql.INSERT_ITEMS: no model and no message of the moment stands behind it."""
    risk = "sensitive" if sensitive else row["risk"]
    return {
        "id": uuid.uuid4(),
        "org_id": org_id,
        "role_agent_id": role_agent_id,
        "kind": "review",
        "action": "review",
        "risk": risk,
        "is_sensitive": sensitive,
        "reason_code": reason,
        "explanation": explanation,
        "proposed_payload": payload,
        "source_refs": row["source_refs"],
        "dedupe_key": dedupe_key,
        "target_memory_id": row["id"],
        "base_version": row["row_version"],
        "proposed_by": proposed_by,
        "sender_identity_id": row["sender_identity_id"],
        "sender_user_id": None,
        "sender_verified": False,
        "sender_ref": None,
        "confidence": 0.0,
        "model_version": "",
        "prompt_version": "",
        "policy_version": "",
        "published_at": now,
        "due_at": now + DUE[risk],
        "expires_at": now + EXPIRY,
    }
