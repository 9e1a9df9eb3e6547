"""What a call that failed is booked at, and what is noted of one that did not."""

from __future__ import annotations

from dataclasses import replace

from dw_detector.gate.calls import CallFailed, Completion, ModelCall
from dw_learning.gate.failures import UNFIT, may_be_billed
from dw_learning.gate.prices import PriceTable
from dw_store.gate import CallResult


def booked_failure(prices: PriceTable, model: str, error: CallFailed, most: int) -> CallResult:
    """What the provider bills all the same, where it says so and what it says can be: never more than was held (G7)."""
    kind = error.error.value
    if error.tokens is None:
        billed = most if may_be_billed(error.error) else 0
        return CallResult("failed", billed, estimated=billed > 0, error_type=kind)
    bill = prices.bill(model, error.tokens, most)
    return CallResult(
        "failed",
        bill.cost,
        estimated=bill.estimated,
        error_type=kind,
        input_tokens=bill.tokens.input,
        output_tokens=bill.tokens.output,
        cached_tokens=bill.tokens.cached,
        reasoning_tokens=bill.tokens.reasoning,
    )


def marked(call: ModelCall, done: Completion, booked: CallResult) -> CallResult:
    """An answer that fits no form is paid for, and an operator finds it in the ledger."""
    if booked.error_type or call.fits is None or call.fits(done.text):
        return booked
    return replace(booked, error_type=UNFIT)
