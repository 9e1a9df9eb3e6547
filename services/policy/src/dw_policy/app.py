"""Composition root of policy: no work at import, nothing global."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.applications import Starlette

from dw_contracts.topics import DETECTIONS
from dw_learning.decision.facts import Caps
from dw_learning.repeated import Repetition
from dw_learning.risk import prepare
from dw_learning.seal import SealKeys
from dw_policy.age import AgeItems
from dw_policy.cap_watch import CapWatch
from dw_policy.decide_batch import Policy
from dw_policy.handlers import Handlers, parse_detection
from dw_policy.schedule import scheduled
from dw_policy.settings import Settings
from dw_runtime import Chassis, OutboxRelay
from dw_store.database import Database
from dw_store.outbox import OutboxRelaySource


def create_app(settings: Settings) -> Starlette:
    """The policy process: detections in, memory, items and audit in one transaction; the outbox relay beside it."""
    prepare()
    chassis = Chassis(settings)
    dsn = settings.database_url.get_secret_value()
    database = chassis.resource(
        lambda: Database.connect(dsn, size=settings.pool_size, application_name="dw-policy")
    )
    policy = Policy(
        caps=_caps(settings),
        clock=lambda: datetime.now(UTC),
        repetition=Repetition(settings.repeated_corrections, timedelta(days=settings.repeated_days)),
        watch=CapWatch(chassis.metrics.registry).saw,
    )
    seal_keys = SealKeys.parse(settings.seal_keys.get_secret_value())
    handlers = Handlers(policy, database, seal_keys)
    chassis.consume(DETECTIONS, parse_detection, handlers.handle, handlers.prepare)
    chassis.background("age-items", AgeItems(database, policy.caps, policy.clock).run)
    if settings.relay:
        relay = OutboxRelay(chassis.publisher(), OutboxRelaySource(dsn))
        chassis.background("outbox-relay", relay.run)
    if settings.schedule:
        for name, run in scheduled(database, settings, policy.clock):
            chassis.background(name, run)
    return chassis.app()


def _caps(settings: Settings) -> Caps:
    return Caps(
        auto_saves_per_day=settings.auto_saves_per_day or None,
        unverified_saves_per_day=settings.unverified_saves_per_day or None,
        open_items=settings.open_items or None,
        open_items_per_unverified=settings.open_items_per_unverified or None,
    )
