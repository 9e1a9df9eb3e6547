"""What goes through the gate, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from dw_learning.gate.failures import CallError
from dw_learning.gate.features import Feature
from dw_learning.gate.prices import Tokens
from dw_learning.gate.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Caller:
    """For which agent, because of which event, on whose behalf (G3)."""

    org_id: UUID
    role_agent_id: UUID
    decision_id: UUID
    platform: str = ""
    workspace_ref: str = ""
    external_user_id: str = ""
    traceparent: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """What an answer has to look like: a JSON schema under a name."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A prompt that is rendered. `turns` alternate between user and assistant and begin with user. Of an
    answer that does not fit, the ledger says so."""

    feature: Feature
    caller: Caller
    system: str
    turns: tuple[str, ...]
    prompt_version: str
    form: Form
    fits: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said."""

    text: str
    tokens: Tokens
    response_model: str = ""
    provider: str = ""
    model: str = ""


class CallFailed(Exception):
    """One try failed; `error` says how. `why` holds no text of anybody. `tokens` are there where the provider named
    what it bills all the same."""

    def __init__(
        self, error: CallError, why: str, *, status: int = 0, code: str = "", tokens: Tokens | None = None
    ) -> None:
        super().__init__(why)
        self.error = error
        self.status = status
        self.code = code
        self.tokens = tokens


class GateRefused(Exception):
    """The org's own limits do not let it pass now: nothing was called, nothing is held."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.words())
        self.refusal = refusal


class Target(Protocol):
    """One model at one provider."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...

    def body(self, call: ModelCall) -> bytes:
        """The request as it goes over the wire."""

    async def send(self, body: bytes) -> Completion:
        """One try. Raises CallFailed, or InvalidAnswer if what comes back is no answer at all; both of a call that
        may have cost something."""


@dataclass(frozen=True, slots=True)
class Targets:
    """In the order in which they are tried; other lists where the question itself was the trouble (G15)."""

    first: tuple[Target, ...]
    long: tuple[Target, ...] = field(default=())
    policy: tuple[Target, ...] = field(default=())

    def after(self, error: CallError) -> tuple[Target, ...]:
        """Whom to ask when all of `first` said so."""
        match error:
            case CallError.CONTEXT_WINDOW | CallError.CUT_OFF:
                return self.long
            case CallError.CONTENT_POLICY:
                return self.policy
            case _:
                return ()
