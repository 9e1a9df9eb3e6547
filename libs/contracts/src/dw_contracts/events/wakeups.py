"""agent.wakeups.v1: an inner topic of ids; runtimes take wakeups over HTTP (C105)."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Message


class Wakeup(Message):
    """One wakeup of one role-agent."""

    ce_type: ClassVar[str] = "dw.wakeup.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    wakeup_id: UUID = Field(description="the wakeup")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID = Field(description="who is woken")
    source: str = Field(description="comment, routine, approval_resolved, ...")
    at: AwareDatetime = Field(description="when")
