"""POST /v1/orgs/{org}/policy/explain: what would become of a message, and why, without storing it (issue 4)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from dw_contracts.events.chat import Flags
from dw_contracts.model import Contract


class ExplainRequest(Contract):
    """A message as somebody might say it now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: str = Field(min_length=1, max_length=64, description="the role-agent's code or id")
    text: str = Field(min_length=1, max_length=4_000, description="what is said; it is stored nowhere")
    sender: str = Field(
        min_length=1,
        max_length=600,
        description="a user's code, an account's id, or platform:workspace:account; one that is mapped nowhere is a stranger",
    )
    channel: str = Field(
        default="", max_length=256, description="its code or id; else the first channel of the agent"
    )
    answers: str = Field(default="", max_length=2_000, description="the agent's message that it answers")
    flags: Flags = Field(default=Flags(), description="marks of foreign words")


class ExplainedItem(Contract):
    """What would become of one thing that the message teaches."""

    outcome: Literal["saved", "proposed", "merged", "blocked", "none", "capped"] = Field(
        description="as in a decision record"
    )
    rule: str = Field(description="the rule that would fire")
    text: str = Field(default="", description="what would be remembered; empty where nothing is")
    risk: str = Field(default="", description="class of DATA_MODEL 2.4")
    words: str = Field(description="what would happen and why")


class Explained(Contract):
    """The same triage, extractor and decision that a real message meets; a model may see other items in it."""

    outcome: Literal["skipped", "saved", "proposed", "merged", "blocked", "none", "capped"] = Field(
        description="skipped: triage would let it go; else that of the first item"
    )
    words: str = Field(description="all of it in words")
    sender: str = Field(description="who the sender is taken for, in words")
    verified: bool = Field(description="whether the sender counts as verified (C47)")
    mode: Literal["review", "verified", "open"] = Field(description="how the agent learns (R87)")
    channel: str = Field(description="code of the channel")
    items: tuple[ExplainedItem, ...] = Field(default=(), description="in order of the text")
    versions: dict[str, str] = Field(description="of triage, extractor and policy")
