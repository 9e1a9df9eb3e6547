"""Objectives and alerts of the gate (G31): every name and label that a rule asks for is one that a process exposes, every
alert says where to read on, and what they look at moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from dw_contracts.topics import CANDIDATES, CHAT_EVENTS
from dw_detector.gate.janitor import Janitor
from dw_detector.gate.observe import Observer
from dw_learning.gate.failures import CallError
from dw_learning.gate.features import FEATURES
from dw_learning.gate.refusals import WORDS
from dw_runtime.metrics import Metrics
from dw_runtime.telemetry import Telemetry
from dw_store.errors import StoreUnavailable
from dw_store.gate import Budget
from services.detector.tests.gate_world import AT, FACT, GOOD, World, items, openai_answer

ROOT = Path(__file__).parents[3]
RULES = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/alerts/access_gate.yaml").read_text())["groups"]
    for rule in group["rules"]
]
ALERTS = [rule for rule in RULES if "alert" in rule]
RUNBOOK = (ROOT / "docs/runbooks/access-gate.md").read_text()
OUTCOMES = {"ok", "cancelled", *CallError}
VALUES = {
    "outcome": {*OUTCOMES, "handled", "dead_letter"},
    "service": {"triage"},
    "topic": {CANDIDATES.name, CHAT_EVENTS.name},
    "reason": set(WORDS),
    "window": {"day", "month"},
    "feature": {feature.key for feature in FEATURES},
}
Make = Callable[..., World]


def exposed() -> dict[str, set[str]]:
    """Sample names to their labels, as the detector and the chassis register them."""
    registry = CollectorRegistry()
    Observer(registry, Telemetry("detector"))
    found: dict[str, set[str]] = {}
    for one in (registry, Metrics("triage").registry):
        for collector, names in one._collector_to_names.items():
            for name in names:
                found[name] = set(getattr(collector, "_labelnames", ()))
    return found


SELECTOR = re.compile(r"\b((?:dw_|gen_ai_)[a-z0-9_]+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(?:=|!=|=~|!~)"([^"]*)"')
GROUPED = re.compile(r"by \(([^)]*)\)")


def selected(expression: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    bare = GROUPED.sub("", expression)
    for found in SELECTOR.finditer(bare):
        yield found[1], MATCHER.findall(found[2] or "")


@pytest.mark.parametrize("rule", RULES, ids=[rule.get("alert") or rule["record"] for rule in RULES])
def test_a_rule_asks_for_what_is_exposed(rule: dict[str, Any]) -> None:
    known = exposed()
    asked = list(selected(rule["expr"]))
    recorded = {one["record"] for one in RULES if "record" in one}
    used = set(re.findall(r"dw:[a-z0-9_:]+", rule["expr"]))
    assert asked or used
    assert used <= recorded
    for name, matchers in asked:
        assert name in known, name
        for label, pattern in matchers:
            assert label in known[name], f"{name} has no label {label}"
            assert set(pattern.split("|")) <= VALUES[label], f"{label} is never one of {pattern}"
    for listed in GROUPED.findall(rule["expr"]):
        labels = {label.strip() for label in listed.split(",")} - {"le"}
        assert any(labels <= known[name] for name, _ in asked), labels


def test_a_name_that_nothing_exposes_is_found() -> None:
    assert "dw_gate_calls_total" in exposed()
    assert "dw_gate_budget_left" not in exposed()
    assert exposed()["gen_ai_client_operation_duration_seconds_bucket"] >= {"gen_ai_request_model"}


@pytest.mark.parametrize("rule", ALERTS, ids=[rule["alert"] for rule in ALERTS])
def test_an_alert_has_its_place_in_the_runbook(rule: dict[str, Any]) -> None:
    assert rule["annotations"]["runbook"] == f"docs/runbooks/access-gate.md#{rule['alert'].lower()}"
    head = f"## {rule['alert']}\n"
    assert head in RUNBOOK
    section = RUNBOOK.split(head)[1].split("\n## ")[0]
    assert "Means:" in section
    assert re.search(r"\b[Dd]o:", section)
    assert rule["labels"]["severity"] in {"critical", "warning", "info"}
    assert rule["annotations"]["summary"]


def test_what_an_acceptance_of_the_gate_asks_for_has_an_alert() -> None:
    assert {rule["alert"] for rule in ALERTS} >= {
        "GateCallsFail", "GateSlow", "GateBudgetBurns", "GateBreakerOpen", "GateCannotCount", "TriageShifted",
    }  # fmt: skip
    by_name = {rule["alert"]: rule for rule in ALERTS}
    assert by_name["GateBreakerOpen"]["for"] == "5m"
    assert "> 0.01" in by_name["GateCallsFail"]["expr"]
    assert set(re.findall(r"^## (\w+)$", RUNBOOK, flags=re.MULTILINE)) == set(by_name)


WELL = openai_answer(items(GOOD))


async def test_a_call_that_nobody_could_count_is_seen(world: Make) -> None:
    made = world(WELL)
    await made.provider.detect(made.question())
    made.prompts.seconds = 3_600.0
    await made.database()._pool.close()
    with pytest.raises(StoreUnavailable):
        await made.provider.detect(made.question())
    assert made.metric("dw_gate_uncounted_total", feature="digital_worker:learning_detect") == 1
    assert len(made.asked) == 1


async def test_when_counters_were_last_read_is_seen(world: Make) -> None:
    made = world(WELL)
    janitor = Janitor(made.database, made.gate.observer, lambda: AT, made.gate.budget)
    assert made.metric("dw_gate_counted_timestamp_seconds") == 0
    await janitor.once()
    assert made.metric("dw_gate_counted_timestamp_seconds") == AT.timestamp()
    await made.database()._pool.close()
    janitor = Janitor(made.database, made.gate.observer, lambda: AT.replace(day=1), made.gate.budget)
    with pytest.raises(StoreUnavailable):
        await janitor.once()
    assert made.metric("dw_gate_counted_timestamp_seconds") == AT.timestamp()


async def test_a_call_that_was_counted_is_not_one_that_nobody_could_count(world: Make) -> None:
    made = world(WELL)
    await made.provider.detect(made.question())
    assert made.metric("dw_gate_uncounted_total", feature="digital_worker:learning_detect") is None


async def test_how_much_of_the_tightest_budget_is_used_is_seen(world: Make) -> None:
    made = world(WELL, budget=Budget(1_000, 100_000))
    janitor = Janitor(made.database, made.gate.observer, lambda: AT, made.gate.budget)
    await janitor.once()
    assert made.metric("dw_gate_budget_used_ratio", window="day") == 0

    made.query(
        "INSERT INTO dw_ai_limits (org_id, scope, daily_micro_usd, monthly_micro_usd) VALUES (%s, 'org', 100000, 200000)",
        made.org.org_id,
    )
    await made.provider.detect(made.question(FACT))
    ((spent,),) = made.query("SELECT sum(cost_micro_usd) FROM dw_ai_usage")
    await janitor.once()

    assert spent > 0
    assert made.metric("dw_gate_budget_used_ratio", window="day") == pytest.approx(float(spent) / 100_000)
    assert made.metric("dw_gate_budget_used_ratio", window="month") == pytest.approx(float(spent) / 200_000)

    made.query(
        "INSERT INTO dw_ai_limits (org_id, scope, daily_micro_usd) VALUES (%s, 'model:small', %s)",
        made.org.org_id,
        int(spent),
    )
    await janitor.once()
    assert made.metric("dw_gate_budget_used_ratio", window="day") == 1, "the tightest of all scopes"


async def test_a_role_agents_own_budget_is_one_of_the_scopes(world: Make) -> None:
    made = world(WELL, budget=Budget(1_000_000, 1_000_000))
    made.query("UPDATE dw_role_agents SET budget_monthly_cents = 10 WHERE org_id = %s", made.org.org_id)
    await made.provider.detect(made.question(FACT))
    ((spent,),) = made.query("SELECT sum(cost_micro_usd) FROM dw_ai_usage")
    await Janitor(made.database, made.gate.observer, lambda: AT, made.gate.budget).once()
    assert made.metric("dw_gate_budget_used_ratio", window="month") == pytest.approx(float(spent) / 100_000)


async def test_yesterdays_spending_is_no_part_of_todays_budget(world: Make) -> None:
    made = world(WELL, budget=Budget(1_000_000, 1_000_000))
    await made.provider.detect(made.question())
    tomorrow = AT.replace(month=12, day=1)
    await Janitor(made.database, made.gate.observer, lambda: tomorrow, made.gate.budget).once()
    assert made.metric("dw_gate_budget_used_ratio", window="day") == 0
    assert made.metric("dw_gate_budget_used_ratio", window="month") == 0
