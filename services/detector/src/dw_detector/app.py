"""Composition root of the detector: no work at import, nothing global."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from starlette.applications import Starlette

from dw_contracts.topics import CANDIDATES, DRAFT_REQUESTS
from dw_detector.adapters.offline import OfflineProvider
from dw_detector.asking import AnswerWriter, Asking
from dw_detector.draft import AT_ONCE, Drafts
from dw_detector.drafting import SkillDrafter
from dw_detector.gate.build import budget_of, build_gate
from dw_detector.gate.janitor import Janitor
from dw_detector.gate.slots import FairSlots
from dw_detector.handlers import Candidates, parse_candidate, parse_draft_request
from dw_detector.model_provider import ModelProvider
from dw_detector.parked import Parked
from dw_detector.prompts import PromptBook
from dw_detector.settings import Settings
from dw_learning.extract import extract
from dw_runtime import Chassis, Handle
from dw_store.database import Database


def create_app(settings: Settings) -> Starlette:
    """The detector process: candidates in, detections out, answers stored before they are published (C77)."""
    extract(
        "The office opens at nine.", None, None, None
    )  # reads its models: else the first message would wait for them
    chassis = Chassis(settings)
    database = chassis.resource(
        lambda: Database.connect(
            settings.database_url.get_secret_value(), size=settings.pool_size, application_name="dw-detector"
        )
    )
    slots = FairSlots(settings.concurrency)
    asking = _asking(chassis, settings, database, slots)
    chassis.window(CANDIDATES, parse_candidate, Candidates(asking, slots, database, _now))
    drafts = Drafts(database, asking.writer, asking.drafter, FairSlots(AT_ONCE))
    chassis.window(DRAFT_REQUESTS, parse_draft_request, drafts)
    parked = Parked(asking, database, chassis.publisher().publish, _now, budget_of(settings))
    chassis.background("parked detections", parked.run)
    return chassis.app()


def _asking(chassis: Chassis, settings: Settings, database: Handle[Database], slots: FairSlots) -> Asking:
    writer = AnswerWriter(database)
    if settings.provider == "offline":
        return Asking(OfflineProvider(), database, writer, _now)
    gate = build_gate(chassis, settings, database, slots, _now, random.random)
    chassis.ready_check("prices", gate.keep_record)
    chassis.background("budgets", Janitor(database, gate.observer, _now, gate.budget).run)
    prompts = PromptBook(database)
    provider = ModelProvider(gate, prompts)
    return Asking(
        provider,
        database,
        writer,
        _now,
        cache_key=provider.cache_key,
        cache_seconds=settings.cache_seconds,
        stand_in=OfflineProvider() if settings.when_down == "offline" else None,
        drafter=SkillDrafter(gate, prompts),
    )


def _now() -> datetime:
    return datetime.now(UTC)
