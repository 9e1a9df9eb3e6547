"""Skills in the panel: what an agent may load, its versions, and what people do about them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.model import Contract

SkillStatus = Literal["proposed", "active", "paused", "archived"]
SkillRisk = Literal["low", "medium", "high", "sensitive"]


class ProposeSkill(Contract):
    """A new skill, or an update of the one that has its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    body_md: str = Field(min_length=1, max_length=20_000, description="front matter and the four sections")
    change_summary: str = Field(default="", max_length=500, description="what this version changes")
    base_version: int | None = Field(
        default=None, ge=1, description="an update: the active version that it was made from (D49)"
    )
    rebases: UUID | None = Field(
        default=None, description="an open update of this skill that this one takes the place of"
    )


class ProposedSkill(Contract):
    """The item that waits in the Learning Inbox."""

    item_id: UUID = Field(description="approve or reject it there; never by who proposed it (C61)")
    skill_id: UUID | None = Field(default=None, description="the skill that would be updated")
    name: str = Field(description="kebab-case name")
    risk: SkillRisk = Field(description="the higher of what is declared and what the text is")
    version: int = Field(description="of what the agent knows (C71)")
    stripped: tuple[str, ...] = Field(default=(), description="an import: keys that were taken away")


class ImportSkill(Contract):
    """A SKILL.md in the public Agent Skills format, with the names of the other files in its folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    skill_md: str = Field(min_length=1, max_length=40_000, description="the file's text")
    files: tuple[str, ...] = Field(
        default=(), max_length=200, description="paths of the other files; scripts are refused"
    )
    base_version: int | None = Field(default=None, ge=1, description="an update: its base")


class ExportedSkill(Contract):
    """A folder of one file."""

    path: str = Field(description="NAME/SKILL.md")
    skill_md: str = Field(description="the file's text; import gives the same skill back")


class SkillView(Contract):
    """A skill as its agent's people see it."""

    id: UUID = Field(description="the skill")
    role_agent_id: UUID = Field(description="whose it is")
    name: str = Field(description="kebab-case name; harmless")
    description: str = Field(description="when to use it; harmless, empty where masked")
    risk: SkillRisk = Field(description="class")
    status: SkillStatus = Field(description="only active ones are loaded")
    active_version: int | None = Field(default=None, description="the approved version in use")
    enabled: bool = Field(description="on the agent's desired list (R211, R213)")
    created_by_agent: bool = Field(description="learned by the agent, not written by a person (R212)")
    last_approver: str | None = Field(default=None, description="code of who approved the active version")
    approved_at: AwareDatetime | None = Field(default=None, description="when")
    open_proposals: int = Field(description="items that wait for this skill")
    row_version: int = Field(description="grows with each change")


class SkillVersionView(Contract):
    """One version; versions are never changed."""

    version: int = Field(description="from 1")
    body_md: str = Field(description="harmless; masked where the reader may not see it")
    change_summary: str = Field(description="what it changed")
    status: Literal["draft", "approved", "rejected", "retired"] = Field(description="one is approved")
    approver: str | None = Field(default=None, description="member's code")
    approved_at: AwareDatetime | None = Field(default=None, description="when")
    base_version: int | None = Field(default=None, description="what it was made from")


class SkillDetail(Contract):
    """A skill with its history, newest first."""

    skill: SkillView = Field(description="as it stands")
    versions: tuple[SkillVersionView, ...] = Field(description="newest first, at most 200")


class RevertSkill(Contract):
    """Back to an older approved version."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: int = Field(ge=1, description="a version that was approved once")
    base_version: int | None = Field(
        default=None, ge=1, description="the active version that was seen; 409 if another is active"
    )


class EnableSkill(Contract):
    """The toggle on the desired list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(description="false: kept, and not offered")


class ChangedSkill(Contract):
    """What became of it."""

    skill: SkillView = Field(description="as it stands now")
    version: int = Field(description="packs that carry this version or a higher one show it (C71)")


class OwnSkills(Contract):
    """Whether a role-agent may propose skills of its own (R209)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    can_manage_own_skills: bool = Field(description="it may propose and update its own; never approve")


class ChangedOwnSkills(Contract):
    """As it stands now."""

    can_manage_own_skills: bool = Field(description="as asked")
    version: int = Field(description="of what the agent knows (C71)")
