"""What people ask of packs and runs: the next pack, a skill on trial, where a memory was used (D40, D41, D50, R207, R237)."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.http.context import ContextPack, PackSkill
from dw_contracts.model import Contract

MAX_TRIED = 50
SourceKind = Literal["tool_run", "correction"]


class PreviewPack(Contract):
    """Body of POST /v1/orgs/{org}/agents/{agent}/pack-preview."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    channel: str = Field(
        default="",
        max_length=256,
        description="where it would be asked; without one, the agent's first channel",
    )
    message: str = Field(default="", max_length=16_384, description="the message to be answered")
    sender: str = Field(
        default="",
        max_length=600,
        description="who writes it: a member's code, or platform:workspace:account",
    )


class LeftOut(Contract):
    """One thing that the pack would not hold, and why in words (D46)."""

    id: UUID = Field(description="the memory or skill")
    kind: Literal["memory", "skill"] = Field(description="what it is")
    text: str = Field(description="the memory, masked for managers when sensitive (C95), or the skill's name")
    reason: str = Field(description="as in a pack")
    words: str = Field(description="the same in words")
    instead: UUID | None = Field(default=None, description="of a conflict: the memory that stands instead")


class PackPreview(Contract):
    """The pack that the role-agent would get now, as far as the reader may read it. Nothing is recorded."""

    channel: str = Field(description="code of the channel")
    pack: ContextPack = Field(
        description="texts that the reader may not read are masked; the budget counts the real ones"
    )
    hidden: int = Field(description="memories of the pack whose text is masked for this reader")
    left_out: tuple[LeftOut, ...] = Field(description="nearest first")


class TrySkill(Contract):
    """Body of POST /v1/orgs/{org}/items/{item_id}/skill-trial."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    messages: tuple[Annotated[str, Field(min_length=1, max_length=4_000)], ...] = Field(
        min_length=1, max_length=MAX_TRIED, description="what people could write"
    )


class TriedMessage(Contract):
    """What would be loaded for one message."""

    now: str | None = Field(description="name of the skill that is chosen today")
    then: str | None = Field(description="... and with the proposal approved")
    is_proposed: bool = Field(description="then it would be the proposed one")
    how: Literal["command", "match", "none"] = Field(description="how it is chosen then (C98)")
    near: tuple[str, ...] = Field(description="names that came near each other, so that none is chosen")


class SkillTrial(Contract):
    """A proposal tried before anybody approves it (D50). Nothing is stored."""

    skill: PackSkill = Field(description="the skill as it would stand; its version is the next one")
    results: tuple[TriedMessage, ...] = Field(description="in the order of the messages")
    chosen: int = Field(description="messages for which the proposed skill would be loaded")
    taken: int = Field(description="messages for which another skill is loaded today, and would not be then")


class ChannelUse(Contract):
    """Packs of one channel."""

    channel_id: UUID | None = Field(description="the channel")
    channel: str = Field(description="its code")
    packs: int = Field(description="packs that held the memory")
    runs: int = Field(description="runs among them, as far as runtimes name them")
    last_at: AwareDatetime = Field(description="the last of them")


class RunUse(Contract):
    """A run that says it used the memory."""

    run_id: UUID = Field(description="the run")
    role_agent_id: UUID = Field(description="its agent")
    channel: str = Field(description="code of its channel")
    used_at: AwareDatetime = Field(description="when it said so")


class MemoryUses(Contract):
    """Where a memory was used (D41)."""

    use_count: int = Field(description="how often runtimes said that a reply rests on it (C80)")
    last_used_at: AwareDatetime | None = Field(description="the last time")
    runs: tuple[RunUse, ...] = Field(description="the newest 50 of these, of the reader's agents")
    packs: int = Field(description="packs that held it, among those looked at")
    last_pack_at: AwareDatetime | None = Field(description="the newest of them")
    channels: tuple[ChannelUse, ...] = Field(description="the same by channel, most first")
    looked_at: int = Field(description="the newest packs of the agents concerned")
    looked_at_since: AwareDatetime | None = Field(description="the oldest of these")


class SkillRef(Contract):
    """A skill as it was then."""

    name: str = Field(description="its name")
    version: int = Field(description="the approved version")


class RunPack(Contract):
    """One pack that a run was given: what influenced the reply."""

    id: UUID = Field(description="of the record")
    built_at: AwareDatetime = Field(description="when")
    version: int = Field(description="of what the agent knew (C71)")
    prompt_version: str = Field(description="of the words around it (R172)")
    builder_version: str = Field(description="which code put it together")
    soul_version: int | None = Field(description="absent when paused")
    skills: tuple[SkillRef, ...] = Field(description="name and version (R207)")
    memories: tuple[UUID, ...] = Field(description="in the order of the pack")
    memory_chars: int = Field(description="characters of memory text")
    left_out: dict[str, int] = Field(description="how many by reason, among those that were listed")
    history: tuple[str, ...] = Field(description="events that came along, where they were asked for")


class RunView(Contract):
    """One run of a role-agent."""

    id: UUID = Field(description="the run")
    role_agent_id: UUID = Field(description="the role-agent")
    channel_id: UUID = Field(description="where it answers")
    event_id: UUID | None = Field(description="what it answers")
    status: str = Field(description="running, succeeded, failed or cancelled")
    started_at: AwareDatetime = Field(description="when it began")
    finished_at: AwareDatetime | None = Field(description="when its runtime said that it was over")
    packs: int = Field(description="packs that it was given")
    used: int = Field(description="memories that it said it used")


class RunPage(Contract):
    """Runs, newest first."""

    runs: tuple[RunView, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class RunDetail(Contract):
    """The record of a run (R207)."""

    run: RunView = Field(description="the run")
    packs: tuple[RunPack, ...] = Field(description="the newest 50, newest first")
    used: tuple[UUID, ...] = Field(description="memories that it said it used")


class EventSource(Contract):
    """A tool run or a correction: no search finds them, people see them here (R237, C20)."""

    id: UUID = Field(description="the event")
    kind: SourceKind = Field(description="what it is")
    channel_id: UUID = Field(description="where")
    channel: str = Field(description="code of the channel")
    actor: str = Field(description="code of the member behind the account, if it is mapped")
    tool: str = Field(default="", description="of a tool run: its name")
    first: str = Field(
        description="input of the tool, or what was wrong; redacted, harmless, at most 2,000 signs"
    )
    second: str = Field(description="output of the tool, or what is right; likewise")
    is_hidden: bool = Field(description="said in a private channel: its texts are for admins and owners")
    occurred_at: AwareDatetime = Field(description="when")


class SourcePage(Contract):
    """Event sources, newest first."""

    sources: tuple[EventSource, ...] = Field(description="at most `limit`")
    next_cursor: str | None = Field(default=None, description="for the next page")


class SkillUse(Contract):
    """How often one skill was loaded (D48)."""

    id: UUID = Field(description="the skill")
    name: str = Field(description="its name")
    status: str = Field(description="active, paused, ...")
    active_version: int | None = Field(description="the version that is offered")
    loads: int = Field(description="packs that held it, of whatever version, among those looked at")
    last_loaded_at: AwareDatetime | None = Field(description="null: never, among those looked at")


class SkillUses(Contract):
    """The skills of a role-agent, those that are never loaded first."""

    skills: tuple[SkillUse, ...] = Field(description="at most 1,000")
    looked_at: int = Field(description="the agent's newest packs")
    looked_at_since: AwareDatetime | None = Field(description="the oldest of these")
