"""agent.comments.v1: comments on a channel's task, inbound and agent-authored (R44, R265)."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Message


class AgentComment(Message):
    """One comment. Only agent-authored ones with a reply channel are relayed."""

    ce_type: ClassVar[str] = "dw.agent_comment.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    comment_id: UUID = Field(description="the comment")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID = Field(description="the agent that answers in the channel")
    channel_id: UUID = Field(description="the channel; key of the topic")
    task_id: UUID | None = Field(default=None, description="the channel's task")
    author_type: Literal["user", "agent", "system"] = Field(description="who wrote it")
    author_display_name: str = Field(default="", max_length=256, description="shown to people")
    body: str = Field(max_length=16_384, description="text, redacted")
    source: str = Field(description="platform, or agent")
    reply_channel_id: UUID | None = Field(default=None, description="where a reply goes")
    at: AwareDatetime = Field(description="when")
