"""Composition root of ingest: no work at import, nothing global."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from fastapi import FastAPI

from dw_ingest.accept import Ingest
from dw_ingest.adapters.directory import StoreDirectory
from dw_ingest.limits import RateLimits
from dw_ingest.routes import build_router
from dw_ingest.settings import Settings
from dw_learning.seal import SealKeys
from dw_runtime import Chassis
from dw_runtime.deadline import AT_THE_DOOR, Deadline
from dw_store.database import Database


def create_app(settings: Settings) -> FastAPI:
    """The ingest process: HTTP in, chat.events.v1 out; the database is read through a cache and never written."""
    chassis = Chassis(settings)
    database = chassis.resource(
        lambda: Database.connect(
            settings.database_url.get_secret_value(), size=settings.pool_size, application_name="dw-ingest"
        )
    )
    ingest = Ingest(
        directory=StoreDirectory(
            database=database,
            pepper=settings.pepper.get_secret_value(),
            ttl_seconds=settings.cache_seconds,
            clock=time.monotonic,
            deadline=Deadline(AT_THE_DOOR),
        ),
        publisher=chassis.publisher(),
        seal_keys=SealKeys.parse(settings.seal_keys.get_secret_value()),
        limits=RateLimits(settings.rate_per_key, settings.rate_per_org, clock=time.monotonic),
        publish_timeout=settings.publish_timeout_seconds,
        clock=lambda: datetime.now(UTC),
        pepper=settings.pepper.get_secret_value(),
    )
    app = FastAPI(title="Digital Worker ingest", version="1", docs_url=None, redoc_url=None)
    app.include_router(build_router(ingest))
    chassis.install(app)
    return app
