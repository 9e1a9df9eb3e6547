"""What is seen of calls: metrics and GenAI spans of both generations (G30). Ids stand in spans only, texts nowhere.

The first generation of the conventions is what we emit; OTEL_SEMCONV_STABILITY_OPT_IN with gen_ai_latest_experimental
adds the second one's names.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from opentelemetry.trace import SpanKind
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from dw_detector.gate.calls import Caller, ModelCall, Target
from dw_learning.gate.breaker import State
from dw_learning.gate.refusals import Refusal
from dw_runtime.logs import log
from dw_runtime.telemetry import ActiveSpan, Telemetry
from dw_runtime.traceparent import is_sampled
from dw_store.gate import CallResult

OPT_IN: Final = "gen_ai_latest_experimental"
_STATES: Final[dict[State, int]] = {"closed": 0, "half_open": 1, "open": 2}
_TOKENS: Final = (1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536)
_SECONDS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_OF: Final = ("gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model")


class Observer:
    """Metrics in the process's own registry, spans where the event's trace is sampled."""

    def __init__(self, registry: CollectorRegistry, telemetry: Telemetry, opt_in: str = "") -> None:
        self._telemetry = telemetry
        self._latest = OPT_IN in {part.strip() for part in opt_in.split(",")}
        self._calls = Counter(
            "dw_gate_calls", "Calls by how they ended", ("feature", "model", "outcome"), registry=registry
        )
        self._refused = Counter(
            "dw_gate_refused", "Calls that a limit did not let pass", ("feature", "reason"), registry=registry
        )
        self._cost = Counter(
            "dw_gate_cost_micro_usd", "What calls cost", ("feature", "model"), registry=registry
        )
        self._warned = Counter("dw_gate_soft_limits", "Soft limits that were crossed", registry=registry)
        self._state = Gauge(
            "dw_gate_breaker_state", "0 closed, 1 half open, 2 open", ("model",), registry=registry
        )
        self._lost = Counter("dw_gate_lost", "Calls that nobody settled in time", registry=registry)
        self._drift = Counter("dw_gate_drift", "Counters that differed from the ledger", registry=registry)
        self._uncounted = Counter(
            "dw_gate_uncounted", "Calls not made because nobody could count", ("feature",), registry=registry
        )
        self._beyond = Counter(
            "dw_gate_usage_beyond_hold", "Calls whose named usage costs more than they can", ("model",),
            registry=registry,
        )  # fmt: skip
        self._used = Gauge(
            "dw_gate_budget_used_ratio", "Of the tightest budget of any org, 1 is all", ("window",),
            registry=registry,
        )  # fmt: skip
        self._counted_at = Gauge(
            "dw_gate_counted_timestamp_seconds",
            "When all counters were last read and put right",
            registry=registry,
        )
        self._usage = Histogram(
            "gen_ai_client_token_usage", "Billable tokens of a call", (*_OF, "gen_ai_token_type"),
            registry=registry, buckets=_TOKENS,
        )  # fmt: skip
        self._duration = Histogram(
            "gen_ai_client_operation_duration_seconds", "Time of a call", (*_OF, "error_type"),
            registry=registry, buckets=_SECONDS,
        )  # fmt: skip
        self._inference = _totals(registry) if self._latest else {}
        self._sizes = _sizes(registry) if self._latest else {}

    def refused(self, feature: str, refusal: Refusal) -> None:
        """A limit held a call back."""
        self._refused.labels(feature, refusal.reason).inc()

    def warned(self, org_id: UUID, scopes: tuple[str, ...]) -> None:
        """Soft limits that were crossed just now (G6)."""
        if scopes:
            self._warned.inc(len(scopes))
            log.warning("budget.soft_limit", org_id=str(org_id), scopes=list(scopes))

    def breaker(self, model: str, state: State) -> None:
        """Where it stands."""
        self._state.labels(model).set(_STATES[state])

    def reconciled(self, lost: int, drifted: int) -> None:
        """What was put right (G8)."""
        self._lost.inc(lost)
        self._drift.inc(drifted)
        if lost or drifted:
            log.warning("budget.reconciled", lost=lost, drifted=drifted)

    def uncounted(self, feature: str) -> None:
        """The counters were away, so nobody was asked (G34)."""
        self._uncounted.labels(feature).inc()

    def beyond_the_hold(self, caller: Caller, model: str, most: int) -> None:
        """A provider named more than such a call can cost: booked at what was held (G7)."""
        self._beyond.labels(model).inc()
        log.warning(
            "budget.usage_not_believed",
            org_id=str(caller.org_id),
            decision_id=str(caller.decision_id),
            model=model,
            booked_micro_usd=most,
        )

    def budgets(self, at: float, day: float, month: float) -> None:
        """The greatest share of any budget that is used or held (G31), counted at this second since 1970."""
        self._counted_at.set(at)
        self._used.labels("day").set(day)
        self._used.labels("month").set(month)

    def begin(self, call: ModelCall, target: Target) -> ActiveSpan | None:
        """A span of the call, if its event is traced."""
        parent = call.caller.traceparent
        if parent is None or not is_sampled(parent.encode()):
            return None
        attributes: dict[str, str | int | float | bool] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": target.provider,
            "gen_ai.request.model": target.model,
            "gen_ai.request.max_tokens": call.feature.max_output_tokens,
            "dw.org.id": str(call.caller.org_id),
            "dw.role_agent.id": str(call.caller.role_agent_id),
            "dw.feature_key": call.feature.key,
            "dw.prompt.version": call.prompt_version,
        }
        if self._latest:
            attributes |= {
                "gen_ai.prompt.name": call.prompt_version.rpartition("-")[0],
                "gen_ai.agent.id": str(call.caller.role_agent_id),
            }
        return self._telemetry.start(f"chat {target.model}", parent, attributes, SpanKind.CLIENT)

    def end(self, span: ActiveSpan | None, call: ModelCall, target: Target, result: CallResult) -> None:
        """Book it. Tokens that the provider did not name are not reported."""
        error = result.error_type if result.status == "failed" else ""
        outcome = error or result.status
        self._calls.labels(call.feature.key, target.model, outcome).inc()
        self._cost.labels(call.feature.key, target.model).inc(result.cost_micro_usd)
        labels = ("chat", target.provider, target.model)
        self._duration.labels(*labels, error).observe((result.latency_ms or 0) / 1000)
        named = {"input": result.input_tokens, "output": result.output_tokens}
        for kind, count in named.items():
            if count is not None:
                self._usage.labels(*labels, kind).observe(count)
                if kind in self._sizes:
                    self._sizes[kind].labels(*labels).observe(count)
        more = {"cache_read_input": result.cached_tokens, "reasoning_output": result.reasoning_tokens}
        for kind, count in (named | more).items():
            if count is not None and kind in self._inference:
                self._inference[kind].labels(*labels).inc(count)
        if span is not None:
            _finish(span, result)


def _sizes(registry: CollectorRegistry) -> dict[str, Histogram]:
    """The second generation's, for percentiles only; totals come from its counters."""
    return {
        kind: Histogram(
            f"gen_ai_client_inference_operation_{kind}_tokens", f"Tokens of a call: {kind}", _OF,
            registry=registry, buckets=_TOKENS,
        )
        for kind in ("input", "output")
    }  # fmt: skip


def _totals(registry: CollectorRegistry) -> dict[str, Counter]:
    return {
        kind: Counter(
            f"gen_ai_client_inference_usage_{kind}_tokens", f"Billable tokens: {kind}", _OF, registry=registry
        )
        for kind in ("input", "output", "cache_read_input", "reasoning_output")
    }


def _finish(span: ActiveSpan, result: CallResult) -> None:
    attributes = {
        "gen_ai.response.model": result.response_model or None,
        "gen_ai.usage.input_tokens": result.input_tokens,
        "gen_ai.usage.output_tokens": result.output_tokens,
        "error.type": result.error_type or None,
        "dw.cost_micro_usd": result.cost_micro_usd,
    }
    for name, value in attributes.items():
        if value is not None:
            span.span.set_attribute(name, value)
    span.end(failed=result.status == "failed")
