"""What an org may spend and spent, in words."""

from __future__ import annotations

from dw_cli.gate_values import MICRO
from dw_contracts.http.gate import GateLimit, GateUse, LedgerCall


def usd(micro: int) -> str:
    """An amount of micro-dollars."""
    return f"${micro / MICRO:.4f}"


def scope_words(one: GateLimit | GateUse) -> str:
    """As it can be typed: a role-agent by its code, where it has one."""
    return f"agent:{one.agent}" if one.agent else one.scope


def call_words(call: LedgerCall) -> str:
    """A line: when, how it ended and at which try, model, cost, for what, by which role-agent, on whose behalf."""
    ended = call.status + (f" {call.error_type}" if call.error_type else "")
    tried = [f"try {call.attempt}"] if call.attempt > 1 else []
    tried += [f"after {call.fallback_from}"] if call.fallback_from else []
    cost = "under way" if call.cost_micro_usd is None else usd(call.cost_micro_usd)
    guess = " at most" if call.estimated and call.cost_micro_usd else ""
    parts = (
        f"{call.at:%Y-%m-%d %H:%M:%S}",
        ", ".join([ended, *tried]),
        call.request_model,
        cost + guess,
        call.feature_key,
        call.prompt_version,
        f"agent {call.agent or call.actor}",
        f"for {call.on_behalf_of or 'nobody known'}",
    )
    return "  ".join(filter(None, parts))
