"""Composition root of the detector: no work at import, nothing global."""

from __future__ import annotations

from starlette.applications import Starlette

from dw_contracts.topics import CANDIDATES, DRAFT_REQUESTS
from dw_detector.adapters.offline import OfflineProvider
from dw_detector.adapters.openai import OpenAiProvider, open_client
from dw_detector.detect import Detector, Provider
from dw_detector.handlers import Handlers, parse_candidate, parse_draft_request
from dw_detector.settings import Settings
from dw_runtime import Chassis
from dw_store.database import Database


def create_app(settings: Settings) -> Starlette:
    """The detector process: candidates in, detections out, answers stored before they are published (C77)."""
    chassis = Chassis(settings)
    database = chassis.resource(
        lambda: Database.connect(
            settings.database_url.get_secret_value(), size=settings.pool_size, application_name="dw-detector"
        )
    )
    handlers = Handlers(Detector(_provider(chassis, settings), settings.concurrency), database)
    chassis.consume(CANDIDATES, parse_candidate, handlers.candidates)
    chassis.consume(DRAFT_REQUESTS, parse_draft_request, handlers.draft_requests)
    return chassis.app()


def _provider(chassis: Chassis, settings: Settings) -> Provider:
    if settings.provider == "offline":
        return OfflineProvider()
    if not settings.base_url or not settings.model:
        raise ValueError("provider openai needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL")
    client = chassis.resource(lambda: open_client(settings))
    return OpenAiProvider(client, settings.model)
