"""The step types that look: a pack, a search, an inbox, the audit log."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, model_validator

from dw_cli.play.expect import Expect
from dw_cli.play.step import Expected, Part, Reference, Step, Texts


class Count(Part):
    """How many entries match."""

    of: str = ""
    exactly: int | None = Field(default=None, alias="is", ge=0)
    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Count:
        if self.exactly is None and self.min is None and self.max is None:
            raise ValueError("one of is, min, max is missing")
        return self


def _count(value: Any) -> Any:
    return {"is": value} if isinstance(value, int) and not isinstance(value, bool) else value


Counted = Annotated[Count, BeforeValidator(_count)]
NOTHING: Final[tuple[str, ...]] = ()


class Pack(Step):
    """BuildAgentContext; refused also means an empty pack."""

    type_name = "pack"
    agent: str
    channel: str
    message: str = ""
    sender: str | None = None
    command: str | None = None
    contains: Texts = NOTHING
    lacks: Texts = NOTHING
    count: Counted | None = None
    order: Texts = NOTHING
    max: dict[Literal["memories", "org_memories", "chars", "skills"], int] = Field(default_factory=dict)
    min: dict[Literal["memories", "org_memories", "chars", "skills"], int] = Field(default_factory=dict)
    soul: str | None = None
    expect: Expected = Expect()

    def references(self) -> list[Reference]:
        named = [("agent", self.agent), ("channel", self.channel)]
        return named + ([("identity", self.sender)] if self.sender is not None else [])


class Search(Step):
    """SearchAgentHistory."""

    type_name = "search"
    agent: str
    query: str
    channel: str | None = None
    as_: str | None = Field(default=None, alias="as")
    contains: Texts = NOTHING
    lacks: Texts = NOTHING
    count: Counted | None = None
    expect: Expected = Expect()

    def references(self) -> list[Reference]:
        named = [("agent", self.agent)] + ([("channel", self.channel)] if self.channel else [])
        return named + ([("person", self.as_)] if self.as_ else [])


class Linked(Part):
    """How many linked sources the matching item has."""

    of: str
    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)
    exactly: int | None = Field(default=None, alias="is", ge=0)


class Inbox(Step):
    """What this person sees in the inbox, or in the Memory tab."""

    type_name = "inbox"
    agent: str
    as_: str | None = Field(default=None, alias="as")
    status: Literal["pending", "approved", "rejected", "superseded", "any"] = "pending"
    tab: Literal["memory"] | None = None
    contains: Texts = NOTHING
    lacks: Texts = NOTHING
    count: Counted | None = None
    evidence: Linked | None = None
    take: dict[str, str] = Field(default_factory=dict)
    flagged: Texts = NOTHING
    expect: Expected = Expect()

    def references(self) -> list[Reference]:
        return [("agent", self.agent)] + ([("user", self.as_)] if self.as_ else [])


class Audit(Step):
    """Learning events of the agent."""

    type_name = "audit"
    agent: str
    as_: str | None = Field(default=None, alias="as")
    has: Texts = NOTHING
    lacks: Texts = NOTHING
    count: Counted | None = None
    contains_text: Texts = NOTHING
    lacks_text: Texts = NOTHING
    expect: Expected = Expect()

    def references(self) -> list[Reference]:
        return [("agent", self.agent)] + ([("user", self.as_)] if self.as_ else [])
