"""The step types of a story, as STORIES.md lists them. A word that is not here is a mistake of the story's author."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, model_validator

from dw_cli.play.admin_fields import ADMIN_FIELDS, AdminDo
from dw_cli.play.expect import Expect
from dw_cli.play.look_steps import Audit, Inbox, Pack, Search
from dw_cli.play.step import Expected, Part, Reference, Step, Texts, expected_of_memory


class Quoted(Part):
    """Somebody else's words inside a message."""

    by: str | None = Field(default=None, alias="from")
    text: str


class ModelAnswer(Part):
    """What the stand-in model answers. It may be what no model should: then it is the model's fault that is played."""

    kind: str = Field(default="memory_fact", max_length=64)
    risk: str = Field(default="low", max_length=64)
    confidence: float = 0.85


class Say(Step):
    """A chat event."""

    type_name = "say"
    channel: str
    sender: str
    text: str = ""
    prev: str | None = None
    reply_to: str | None = None
    id: str | None = None
    edit_of: str | None = None
    delete_of: str | None = None
    forwarded: str | bool | None = None
    quoted: Quoted | None = None
    bot: bool = False
    event_id: str | None = None
    times: int = Field(default=1, ge=1, le=10_000)
    at_once: bool = False
    at: float | None = Field(default=None, ge=0)
    via: Literal["kafka"] | None = None
    model: ModelAnswer | None = None

    @model_validator(mode="after")
    def _fits(self) -> Say:
        if self.delete_of is None and not self.text.strip():
            raise ValueError("text: is missing (only delete_of needs none)")
        if self.edit_of is not None and self.delete_of is not None:
            raise ValueError("edit_of: not together with delete_of")
        if self.prev is not None and self.reply_to is not None:
            raise ValueError("prev: not together with reply_to: a message answers one message")
        return self

    def references(self) -> list[Reference]:
        named = [("channel", self.channel), ("identity", self.sender)]
        return named + ([("identity", self.forwarded)] if isinstance(self.forwarded, str) else [])


class Correct(Step):
    """A human correction event."""

    type_name = "correct"
    channel: str
    sender: str
    wrong: str
    right: str
    id: str | None = None
    event_id: str | None = None
    times: int = Field(default=1, ge=1, le=10_000)

    def references(self) -> list[Reference]:
        return [("channel", self.channel), ("identity", self.sender)]


class ToolRun(Step):
    """A tool run event, on behalf of the sender."""

    type_name = "tool_run"
    agent: str
    channel: str
    sender: str
    tool: str
    output: str
    input: str = ""
    id: str | None = None
    event_id: str | None = None

    def references(self) -> list[Reference]:
        return [("agent", self.agent), ("channel", self.channel), ("identity", self.sender)]


class PutMemory(Step):
    """The agent's own memory API."""

    type_name = "put_memory"
    agent: str
    token_of: str
    expect: Annotated[Expect, BeforeValidator(expected_of_memory)]
    run_of: str | None = None
    layer: str = "knowledge"
    key: str = ""
    text: str = ""
    scope: str | None = None
    token: Literal["expired", "none"] | None = None
    do: Literal["put", "get", "delete"] = "put"
    matching: str | None = None

    def references(self) -> list[Reference]:
        return [("agent", self.agent), ("agent", self.token_of)]


Action = Literal[
    "approve", "reject", "edit", "reassign", "mark_sensitive", "unmark_sensitive", "convert", "override"
]  # fmt: skip


class Decide(Step):
    """A decision in the inbox; several people decide all at once."""

    type_name = "decide"
    who: Texts
    agent: str
    action: Action
    matching: str | None = None
    item: str | None = None
    text: str | None = None
    to: str | None = None
    never_again: bool = False
    expect: Expected = Expect()

    @model_validator(mode="after")
    def _fits(self) -> Decide:
        if (self.matching is None) == (self.item is None):
            raise ValueError("matching: either matching or item says which one")
        if self.action == "edit" and self.text is None:
            raise ValueError("text: an edit needs one")
        return self

    def references(self) -> list[Reference]:
        named = [("user", name) for name in self.who] + [("agent", self.agent)]
        return named + ([("user", self.to)] if self.to is not None and self.action == "reassign" else [])


class Feedback(Step):
    """What a user of the agent says about a memory or a pending item."""

    type_name = "feedback"
    who: str
    agent: str
    matching: str
    action: Literal["confirm", "reject", "edit", "delete"]
    text: str | None = None
    times: int = Field(default=1, ge=1, le=1_000)
    expect: Expected = Expect()

    def references(self) -> list[Reference]:
        return [("user", self.who), ("agent", self.agent)]


class Admin(Step):
    """A change in the panel, also tried by people who may not. Which fields stand with which `do`: ADMIN_FIELDS."""

    type_name = "admin"
    who: str
    do: AdminDo
    expect: Expected = Expect()
    fields: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "fields" in value:
            return value
        own = {name: value[name] for name in ("who", "do", "expect") if name in value}
        return {**own, "fields": {name: given for name, given in value.items() if name not in own}}

    @model_validator(mode="after")
    def _fits(self) -> Admin:
        ADMIN_FIELDS[self.do].check(self.fields)
        return self

    def references(self) -> list[Reference]:
        kinds = ("agent", "channel", "identity", "org")
        named = [(kind, str(self.fields[kind])) for kind in kinds if self.fields.get(kind) is not None]
        return [("user", self.who), *named]


class Restart(Step):
    """Kill and start, without waiting for quiet."""

    type_name = "restart"
    scalar = "service"
    service: Literal["triage", "detector", "policy", "context", "ingest", "panel", "all"]


class Redeliver(Step):
    """Every event of the file once more, with the same ids."""

    type_name = "redeliver"
    scalar = "what"
    what: Texts = ("all",)


class Wait(Step):
    """Until all accepted events have had their effect, or so many seconds."""

    type_name = "wait"
    scalar = "until"
    until: Literal["settled"] | float = Field(union_mode="left_to_right")


_ALL: Final[tuple[type[Step], ...]] = (
    Say, Correct, ToolRun, PutMemory, Decide, Feedback, Admin, Pack, Search, Inbox, Audit, Restart, Redeliver, Wait,
)  # fmt: skip
STEP_TYPES: Final[dict[str, type[Step]]] = {step.type_name: step for step in _ALL}
