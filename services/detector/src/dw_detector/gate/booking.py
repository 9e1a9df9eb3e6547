"""Rows of the ledger: a call before it is made, and what came of it (G7, G21)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

from dw_detector.gate.calls import Completion, ModelCall, Target
from dw_detector.gate.observe import Observer
from dw_learning.gate.failures import BEYOND_THE_HOLD
from dw_learning.gate.features import actor_of
from dw_learning.gate.prices import PriceTable
from dw_store.gate import CallResult, NewCall

SETTLE_SECONDS: Final = 60.0  # after which a call that nobody settled counts as lost


def new_call(
    call: ModelCall,
    target: Target,
    attempt: int,
    fallback_from: str,
    price_version: str,
    regions: Mapping[str, str],
    timeout_seconds: float,
) -> NewCall:
    """For whom, to whom, which try."""
    caller = call.caller
    return NewCall(
        call_id=uuid.uuid4(),
        feature_key=call.feature.key,
        actor=actor_of(caller.role_agent_id),
        provider=target.provider,
        request_model=target.model,
        prompt_version=call.prompt_version,
        price_version=price_version,
        decision_id=caller.decision_id,
        platform=caller.platform,
        workspace_ref=caller.workspace_ref,
        external_user_id=caller.external_user_id,
        attempt=attempt,
        fallback_from=fallback_from,
        trace_id=caller.traceparent[3:35] if caller.traceparent else "",
        expire_seconds=call.feature.seconds(timeout_seconds) + SETTLE_SECONDS,
        region=regions.get(target.model, ""),
    )


def booked(
    prices: PriceTable, observer: Observer, call: ModelCall, target: Target, done: Completion, most: int
) -> CallResult:
    """An answer, at what it cost, and never at more than was held."""
    bill = prices.bill(target.model, done.tokens, most)
    if bill.beyond:
        observer.beyond_the_hold(call.caller, target.model, most)
    return CallResult(
        "ok",
        bill.cost,
        estimated=bill.estimated,
        response_model=done.response_model[:128],
        error_type=BEYOND_THE_HOLD if bill.beyond else "",
        input_tokens=bill.tokens.input,
        output_tokens=bill.tokens.output,
        cached_tokens=bill.tokens.cached,
        reasoning_tokens=bill.tokens.reasoning,
    )
