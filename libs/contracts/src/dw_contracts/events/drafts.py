"""learning.draft_requests.v1: repeated corrections that deserve a skill (C66)."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Message


class DraftRequest(Message):
    """Asks the detector for a skill body. The answer is a Detection under this request's id (C104)."""

    ce_type: ClassVar[str] = "dw.draft_request.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    request_id: UUID = Field(description="decision id of the answer")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID = Field(description="role-agent")
    topic: str = Field(max_length=128, description="normalised topic of the corrections")
    corrections: tuple[str, ...] = Field(description="texts, redacted, oldest first")
    source_event_ids: tuple[UUID, ...] = Field(description="their events")
    at: AwareDatetime = Field(description="when policy asked")
