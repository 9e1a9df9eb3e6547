"""chat.events.v1: what people, agents and tools said or did, as ingest sealed it (C44, C45, C49)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Contract, Message

MAX_TEXT_BYTES = 16 * 1024
MAX_REPLY_TEXT_BYTES = 2 * 1024


class EventKind(StrEnum):
    """What happened (C49). Only message_in and correction can hold own words (C55)."""

    MESSAGE_IN = "message_in"
    MESSAGE_OUT = "message_out"
    EDIT = "edit"
    DELETE = "delete"
    TOOL_RUN = "tool_run"
    CORRECTION = "correction"


class Platform(StrEnum):
    """Where an account lives. Slack's workspace_ref is the author's own team id, Discord's the guild (C48)."""

    TELEGRAM = "telegram"
    SLACK = "slack"
    DISCORD = "discord"
    EMAIL = "email"
    WEBHOOK = "webhook"
    PANEL = "panel"


class Learning(StrEnum):
    """What a channel allows to be learned from it (C67)."""

    OFF = "off"
    PROPOSE = "propose"
    AUTO = "auto"


class Sender(Contract):
    """Raw fields of the platform. Nothing here says verified: policy alone resolves it (C47)."""

    platform: Platform = Field(description="the platform of the account")
    workspace_ref: str = Field(default="", max_length=256, description="team, guild or empty (C48)")
    external_user_id: str = Field(max_length=256, description="the account's id on the platform")
    kind: Literal["human", "bot", "system"] = Field(
        default="human", description="what the platform says it is"
    )
    display_name: str | None = Field(
        default=None, max_length=256, description="shown to people, proves nothing"
    )


class Flags(Contract):
    """Marks under which words are not the sender's own (C55, SECURITY.md B4)."""

    forwarded: bool = Field(default=False, description="somebody else wrote it first")
    quoted: bool = Field(default=False, description="holds a quote of somebody else")
    edited: bool = Field(default=False, description="this is a later version of a message")
    via_bot: bool = Field(default=False, description="sent through a bot")
    anonymous: bool = Field(default=False, description="the author is hidden behind a group or channel")

    def names(self) -> frozenset[str]:
        """The marks that are set."""
        return frozenset(name for name in self.model_fields_set if getattr(self, name))  # the others are not


class ReplyTo(Contract):
    """The message that this one answers, as the event carries it."""

    message_ref: str = Field(max_length=256, description="the platform's id of that message")
    author_kind: Literal["human", "agent", "bot", "system"] = Field(
        default="human", description="who wrote it"
    )
    text: str = Field(default="", max_length=MAX_REPLY_TEXT_BYTES, description="its text, redacted")


class Correction(Contract):
    """A human says: not this, that (kind correction)."""

    wrong: str = Field(max_length=MAX_TEXT_BYTES, description="the text that was wrong")
    right: str = Field(max_length=MAX_TEXT_BYTES, description="the text that is right")


class Tool(Contract):
    """A tool run on behalf of the sender. Its output never counts as own words (C55)."""

    name: str = Field(max_length=256, description="the tool")
    input: str = Field(default="", max_length=MAX_TEXT_BYTES, description="what it was given")
    output: str = Field(default="", max_length=MAX_TEXT_BYTES, description="what it returned")


class Redaction(Contract):
    """A secret that ingest took out (C53): where and of what type, never the secret nor a hash of it."""

    field: str = Field(description="path of the text field, such as text or tool.output")
    type: str = Field(description="kind of secret, such as password")
    span: tuple[int, int] = Field(description="start and end of the replacement in the redacted text")


class Seal(Contract):
    """HMAC-SHA256 over the canonical bytes of all other fields (C45)."""

    key_id: str = Field(max_length=64, description="which key; retired keys verify for 45 days")
    mac: str = Field(pattern=r"^[0-9a-f]{64}$", description="the HMAC in hex")


class ChatEvent(Message):
    """One event of one role-agent (C49). ingest writes one per agent that listens in the channel."""

    ce_type: ClassVar[str] = "dw.chat_event.v1"

    schema_version: Literal[1] = Field(description="version of this message")
    event_id: UUID = Field(description="C50: follows from what the event is")
    org_id: UUID = Field(description="tenant")
    role_agent_id: UUID = Field(description="the listening role-agent")
    channel_id: UUID = Field(description="our channel")
    kind: EventKind = Field(description="what happened")
    message_ref: str = Field(min_length=1, max_length=256, description="the platform's id of the message")
    revision: int = Field(
        default=0, ge=0, lt=2**53, description="the platform's edit time in ms; 0 is the original"
    )
    sender: Sender = Field(description="who, as the platform says")
    flags: Flags = Field(default=Flags(), description="marks of foreign words")
    text: str = Field(
        default="", max_length=MAX_TEXT_BYTES, description="redacted text, at most 16 KiB of UTF-8"
    )
    reply_to: ReplyTo | None = Field(default=None, description="the message it answers")
    thread_ref: str | None = Field(default=None, max_length=256, description="the platform's thread")
    correction: Correction | None = Field(default=None, description="only with kind correction")
    tool: Tool | None = Field(default=None, description="only with kind tool_run")
    redactions: tuple[Redaction, ...] = Field(default=(), description="secrets that were taken out")
    injection_suspect: bool = Field(default=False, description="the injection scan matched at ingest (C53)")
    claim: str | None = Field(default=None, max_length=128, description="HMAC of a dw-verify code (C103)")
    imported: bool = Field(default=False, description="back-filled history: never learned from")
    learning: Learning = Field(default=Learning.AUTO, description="the channel's setting at receipt (C67)")
    bot_granted: bool = Field(default=False, description="an admin lets this bot propose (C88)")
    gateway_proves_sender: bool = Field(
        default=True, description="false for key kinds that prove no sender (C46)"
    )
    occurred_at: AwareDatetime = Field(description="the platform's clock")
    received_at: AwareDatetime = Field(description="ingest's clock")
    seal: Seal | None = Field(default=None, description="absent only while ingest builds the event")
