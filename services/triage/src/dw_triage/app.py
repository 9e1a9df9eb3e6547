"""Composition root of triage: no work at import, nothing global."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.applications import Starlette

from dw_contracts.topics import CHAT_EVENTS
from dw_learning.triage import classify
from dw_runtime import Chassis
from dw_triage.handlers import Triage, parse_event
from dw_triage.measures import Measures
from dw_triage.settings import Settings


def create_app(settings: Settings) -> Starlette:
    """The triage process: one batch consumer, no database, no remote call."""
    chassis = Chassis(settings)
    triage = Triage(
        classify=lambda inputs: classify(inputs, settings.threshold),
        clock=lambda: datetime.now(UTC),
        measures=Measures(chassis.metrics.registry),
    )
    chassis.consume(CHAT_EVENTS, parse_event, triage.handle)
    return chassis.app()
