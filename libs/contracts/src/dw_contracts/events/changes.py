"""learning.changes.v1: that something was learned or changed. Ids, type and version, never text (C71)."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Message


class LearningChange(Message):
    """One audit event by id. Context replicas drop what it names; others read the panel's API for more."""

    ce_type: ClassVar[str] = "dw.learning_change.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    change_id: UUID = Field(description="the audit event's id")
    type: str = Field(description="the audit event's type, such as memory_auto_saved")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID | None = Field(default=None, description="absent: the change concerns the whole org")
    subject_type: str = Field(description="memory, item, skill, soul, channel, ...")
    subject_id: UUID | None = Field(default=None, description="what changed")
    version: int = Field(ge=0, description="version of the agent, or of the org, after the change")
    at: AwareDatetime = Field(description="when it was committed")
