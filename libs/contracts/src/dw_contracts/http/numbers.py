"""Numbers of the inbox for those who answer for it (D45), and what is in force for a role-agent (D21, D38)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from dw_contracts.model import Contract


class PendingNumbers(Contract):
    """What waits at this moment."""

    total: int = Field(description="items that wait in sight")
    by_age: dict[str, int] = Field(
        description="under_1_day, under_3_days, under_7_days, under_14_days, older"
    )
    overdue: int = Field(description="past their due time")
    escalated: int = Field(description="of these, told to admins")
    unseen: int = Field(description="waiting out of sight, over a cap (C97)")


class DecidedNumbers(Contract):
    """What was decided within the period."""

    approved: int = Field(description="by people")
    rejected: int = Field(description="by people")
    expired: int = Field(description="nobody decided in time")
    overridden: int = Field(description="decided anew by an admin")
    undone: int = Field(description="taken back within moments")
    approval_rate: float | None = Field(
        default=None, description="approved of those decided by people; null: none"
    )
    median_seconds: float | None = Field(default=None, description="from proposal to a person's decision")
    rejected_by_reason: dict[str, int] = Field(
        description="wrong, duplicate, ...; none where no reason was given"
    )


class SavedNumbers(Contract):
    """What role-agents saved by themselves within the period."""

    auto_saved: int = Field(description="without asking")
    reverted: int = Field(description="of these, ended by people since")
    revert_rate: float | None = Field(default=None, description="null: nothing was saved")
    capped: int = Field(description="things that a cap turned away")


class AgentToday(Contract):
    """One role-agent against its caps (D21). Days are UTC."""

    role_agent_id: UUID = Field(description="the role-agent")
    code: str = Field(description="its code")
    auto_saved_today: int = Field(description="since midnight UTC")
    open_items: int = Field(description="items that wait in sight")
    unseen_items: int = Field(description="items that wait for room")


class InboxNumbers(Contract):
    """GET /v1/orgs/{org}/numbers: admins all of the org, managers their role-agents."""

    since: AwareDatetime = Field(description="the beginning of the period")
    until: AwareDatetime = Field(description="its end: now")
    pending: PendingNumbers = Field(description="what waits")
    decided: DecidedNumbers = Field(description="what people decided")
    saved: SavedNumbers = Field(description="what was saved by itself")
    agents: tuple[AgentToday, ...] = Field(description="today, most open items first, at most 200")


class PolicyLine(Contract):
    """What becomes of one kind of thing that one kind of sender says."""

    sender: Literal["verified", "unverified"] = Field(description="who says it")
    sample: str = Field(description="fact, preference, high_impact, sensitive, procedure, secret")
    outcome: str = Field(description="saved, proposed, blocked, none")
    words: str = Field(description="as a sentence")


class ChannelPolicy(Contract):
    """What is in force in one channel."""

    channel: str = Field(description="code of the channel")
    learning: Literal["off", "propose", "auto"] = Field(description="the channel's setting (C67)")
    lines: tuple[PolicyLine, ...] = Field(description="by sender and kind")


class EffectivePolicy(Contract):
    """GET /v1/orgs/{org}/agents/{agent}/policy: the same decision that a message meets, asked about samples."""

    agent: str = Field(description="code of the role-agent")
    mode: Literal["review", "verified", "open"] = Field(description="how it learns (R87)")
    mode_words: str = Field(description="the same in words")
    is_learning: bool = Field(description="false: paused, or the role-agent is disabled")
    channels: tuple[ChannelPolicy, ...] = Field(description="where it listens, at most 200")
    rules: tuple[str, ...] = Field(
        description="the org's own rules in words, in the order in which they are asked"
    )
    caps: tuple[str, ...] = Field(description="how much it may save and propose")
