"""learning.candidates.v1: events that triage did not let go (C51, C52, C53)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from dw_contracts.model import Message


class Candidate(Message):
    """An event that may teach something, embedded byte for byte as ingest sealed it (C45)."""

    ce_type: ClassVar[str] = "dw.candidate.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    event: dict[str, Any] = Field(description="the chat event, unchanged; read it with ChatEvent")
    needs_model: bool = Field(
        description="false: edits, deletes, redactions and suspects go on without a call"
    )
    reasons: tuple[str, ...] = Field(description="triage's reason codes")
    score: int = Field(default=0, ge=0, le=1000, description="triage's score in thousandths")
    triage_version: str = Field(description="rules and model of triage")
