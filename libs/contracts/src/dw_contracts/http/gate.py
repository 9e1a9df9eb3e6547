"""/v1/orgs/{org}/gate: what an org allows of calls to models, and what was spent (G4 to G9, G19, G24)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field

from dw_contracts.model import Contract

MODEL = r"[!-~]{1,128}"
SCOPE = rf"^(org|feature:digital_worker:(learning_detect|skill_draft)|agent:[a-z0-9][a-z0-9_-]{{0,62}}|model:{MODEL})$"
SCOPES = "org, feature:digital_worker:learning_detect, feature:digital_worker:skill_draft, agent:CODE or model:NAME"


def _scope(value: str) -> str:
    if re.fullmatch(SCOPE, value) is None:
        raise ValueError(f"a scope is {SCOPES}")
    return value


Scope = Annotated[str, AfterValidator(_scope), Field(json_schema_extra={"pattern": SCOPE})]
Model = Annotated[str, Field(pattern=f"^{MODEL}$")]
REGION = r"[a-z0-9][a-z0-9-]{0,31}"
"""A short word of the operator's own for where a model works, as eu (G20)."""
Region = Annotated[str, Field(pattern=f"^{REGION}$")]


class SetGateLimit(Contract):
    """Body of PUT …/gate/limits. What is left out is left alone; null takes a limit away."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: Scope = Field(description="org, feature:KEY, agent:CODE or its id, or model:NAME")
    daily_micro_usd: int | None = Field(
        default=None, ge=0, le=10**15, strict=True, description="a UTC day; a million is a dollar"
    )
    monthly_micro_usd: int | None = Field(
        default=None, ge=0, le=10**15, strict=True, description="a UTC month"
    )
    soft_percent: int = Field(
        default=80, ge=1, le=100, strict=True, description="of a budget; then a warning, once a day"
    )
    requests_per_minute: int | None = Field(
        default=None, ge=0, le=1_000_000, strict=True, description="calls"
    )
    tokens_per_minute: int | None = Field(
        default=None, ge=0, le=10**12, strict=True, description="reserved tokens"
    )
    max_in_flight: int | None = Field(
        default=None, ge=0, le=100_000, strict=True, description="calls at once"
    )
    allowed_models: tuple[Model, ...] | None = Field(
        default=None, max_length=50, description="no other is called; null: those that the installation has"
    )
    allowed_regions: tuple[Region, ...] | None = Field(
        default=None,
        max_length=20,
        description="models that work elsewhere, or of which nobody says where, are not called; null: no matter where",
    )
    killed: bool = Field(default=False, strict=True, description="no call at all")


class GateLimit(SetGateLimit):
    """Limits of a scope as they are, and as earlier versions let them be written."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    scope: str = Field(description="org, feature:KEY, agent:ID or model:NAME")
    allowed_models: tuple[str, ...] | None = Field(
        default=None, description="no other is called; null: those that the installation has"
    )
    agent: str = Field(default="", description="of the scope agent:ID: the role-agent's code")
    row_version: int = Field(description="goes up with each change")


class GateUse(Contract):
    """What a scope has spent and holds now."""

    scope: str = Field(description="as in its limits")
    agent: str = Field(default="", description="of the scope agent:ID: the role-agent's code")
    day_micro_usd: int = Field(description="spent since midnight UTC")
    month_micro_usd: int = Field(description="spent since the first of the month, UTC")
    reserved_micro_usd: int = Field(description="held for calls under way")
    in_flight: int = Field(description="calls under way")


class GateWait(Contract):
    """Candidates of one role-agent that wait. They go on in order, as soon as the first of them may."""

    role_agent: str = Field(description="its code")
    candidates: int = Field(description="how many")
    reason: str = Field(
        description="what the first of them waits for: as in a refusal, behind, or unavailable where no model answers"
    )
    scope: str = Field(description="whose limit it is; empty where it is none")
    needs_micro_usd: int = Field(description="what its call would hold; a million is a dollar")
    since: datetime = Field(description="when the first of them was parked")
    resets_at: datetime | None = Field(
        description="when the limit ends by itself; null: when somebody changes it"
    )
    expires_at: datetime = Field(description="when the first of them ends without items")


class GateStatus(Contract):
    """Answer of GET …/gate."""

    at: datetime = Field(description="when it was looked at")
    limits: tuple[GateLimit, ...] = Field(description="by scope; a scope without any is not here")
    use: tuple[GateUse, ...] = Field(description="by scope; a scope that never called is not here")
    parked: int = Field(description="candidates that wait for a limit")
    calls_today: dict[str, int] = Field(description="calls of this UTC day by how they ended")
    waiting: tuple[GateWait, ...] = Field(
        default=(), description="whose candidates are parked, the longest first; at most 100"
    )
    default_daily_micro_usd: int | None = Field(
        default=None, description="of an org that sets none; null: no model was called yet"
    )
    default_monthly_micro_usd: int | None = Field(default=None, description="likewise")


class LedgerCall(Contract):
    """One call to a model, as the ledger has it. Null tokens: the provider did not say, which is not zero (G23)."""

    call_id: UUID = Field(description="the call")
    at: datetime = Field(description="when it was reserved")
    status: str = Field(description="reserved, ok, failed, lost, or cached where an answer was used again")
    error_type: str = Field(description="how it failed")
    feature_key: str = Field(description="what for")
    actor: str = Field(description="dw_worker:<role-agent>")
    on_behalf_of: str | None = Field(
        description="code of the member whose words it was made for, where known"
    )
    decision_id: UUID | None = Field(description="the event or draft request behind it")
    provider: str = Field(description="whom it went to")
    request_model: str = Field(description="the model that was asked for")
    response_model: str = Field(description="the model that answered, as it calls itself")
    prompt_version: str = Field(description="the prompt")
    price_version: str = Field(description="the prices behind cost_micro_usd")
    input_tokens: int | None = Field(description="billed")
    output_tokens: int | None = Field(description="billed")
    cached_tokens: int | None = Field(description="of the input")
    reasoning_tokens: int | None = Field(description="of the output")
    reserved_micro_usd: int = Field(description="held for it at most; a million is a dollar")
    cost_micro_usd: int | None = Field(description="booked; null while it is under way")
    estimated: bool = Field(
        description="booked at what was held, for the provider did not say, or said more than a call can cost"
    )
    attempt: int = Field(description="1 is the first try")
    fallback_from: str = Field(description="the model that was asked before and failed")
    cache_hit: bool = Field(description="nobody was asked")
    latency_ms: int | None = Field(description="of the call")
    trace_id: str = Field(description="its trace, if there is one")
    region: str = Field(default="", description="where the model works, as the operator says it")
    agent: str = Field(default="", description="code of the role-agent behind the actor")


class LedgerPage(Contract):
    """Answer of GET …/gate/ledger: the latest call first."""

    calls: tuple[LedgerCall, ...] = Field(description="this page")
    next_cursor: str | None = Field(default=None, description="of the following page")
