"""A cap that is reached is counted, said once a batch, and an alert looks for it (C97, D21)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry

from dw_contracts.events.chat import Learning
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.decision import AgentState
from dw_learning.decision.case import Case
from dw_learning.decision.facts import AgentFacts, Caps, ChannelFacts, SenderFacts
from dw_learning.decision.plan import Decided, decide_all
from dw_policy.cap_watch import CAPS_REACHED, CapWatch
from dw_testkit.events import chat_event

ALERTS = Path(__file__).parents[3] / "deploy/alerts/learning.yaml"


ORG, AGENT, CHANNEL = (uuid.UUID(int=n) for n in range(1, 4))
VERIFIED = SenderFacts(
    uuid.UUID(int=4), uuid.UUID(int=5), "verified", datetime(2026, 1, 1, tzinfo=UTC), active_member=True
)


def decided(caps: Caps, *texts: str, stranger: bool = False) -> list[Decided]:
    known = AgentState(AgentFacts(AGENT, True, True, True, True, True), caps)
    rows: list[tuple[Detection, Case | None]] = []
    for number, text in enumerate(texts):
        event = chat_event(ORG, AGENT, CHANNEL, text, message_ref=f"m{number}")
        item = DetectionItem(
            kind=ItemKind.MEMORY_FACT,
            text=text,
            span=(0, 1),
            key=f"k{number}",
            risk_hint="low",
            confidence=0.85,
        )
        detection = Detection(
            schema_version=1, decision_id=event.event_id, org_id=ORG, role_agent_id=AGENT, items=(item,),
            provider="offline", triage_version="t",
        )  # fmt: skip
        sender = SenderFacts() if stranger else VERIFIED
        rows.append(
            (detection, Case(event, True, sender, ChannelFacts(CHANNEL, True, Learning.AUTO), (item,)))
        )
    return decide_all(rows, {AGENT: known})


def counted(registry: CollectorRegistry) -> dict[str, float]:
    return {
        sample.labels["cap"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == f"{CAPS_REACHED}_total"
    }


TEXTS = tuple(f"The bike room number {n} is called Velo {n}." for n in range(53))


@pytest.mark.parametrize(
    ("caps", "texts", "stranger", "expected"),
    [
        (Caps(), TEXTS[:3], False, {}),
        (Caps(auto_saves_per_day=1), TEXTS[:3], False, {"daily_saves": 2}),
        (Caps(open_items_per_unverified=1), TEXTS[:3], True, {"open_items": 2}),
        (Caps(open_items_per_unverified=0), TEXTS, True, {"open_items": 50, "unseen_items": 3}),
    ],
)
def test_what_a_cap_kept_back_is_counted_by_cap(
    caps: Caps, texts: tuple[str, ...], stranger: bool, expected: dict[str, float],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    registry = CollectorRegistry()
    CapWatch(registry).saw(decided(caps, *texts, stranger=stranger))
    assert counted(registry) == expected
    said = capsys.readouterr().out
    assert said.count("caps.reached") == len(expected)
    assert "Velo" not in said


def test_an_alert_looks_for_the_metric() -> None:
    groups = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    rules = {rule["alert"]: rule for group in groups for rule in group["rules"]}
    assert f"{CAPS_REACHED}_total" in rules["LearningCapReached"]["expr"]
    assert all(rule["annotations"]["description"] for rule in rules.values())
