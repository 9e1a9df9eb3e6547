"""Composition root of context: no work at import, nothing global."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from uuid import uuid4

from fastapi import FastAPI

from dw_context.adapters.cache import SnapshotCache
from dw_context.adapters.conflict_log import ConflictLog
from dw_context.adapters.keys import RuntimeKeys
from dw_context.adapters.pack_log import PackLog
from dw_context.agent_memory import AgentMemory
from dw_context.build_pack import BuildPack, BuildPackFromSql
from dw_context.handlers import ChangesHandler, HistoryHandler, parse_event
from dw_context.hot_path import MAX_BODY_BYTES, PATH, HotPath, PackEndpoint
from dw_context.memory_routes import PREFIXES, memory_router, report_router, run_router
from dw_context.recent_messages import RecentMessages
from dw_context.report_run import ReportRunCase
from dw_context.routes import build_router
from dw_context.run_tokens import RunTokens
from dw_context.search_history import SearchHistory
from dw_context.session_notes import SessionNotes
from dw_context.settings import Settings
from dw_context.start_run import StartRunCase
from dw_contracts.topics import CHANGES, CHAT_EVENTS
from dw_learning.decision.facts import Caps
from dw_learning.seal import SealKeys
from dw_runtime import Chassis, Ready
from dw_runtime.deadline import Deadline
from dw_store.database import Database


def create_app(settings: Settings) -> FastAPI:
    """The context process: packs and searches over HTTP, the history read model by a consumer beside them."""
    chassis = Chassis(settings)
    database = chassis.resource(
        lambda: Database.connect(
            settings.database_url.get_secret_value(), size=settings.pool_size, application_name="dw-context"
        )
    )
    deadline = Deadline(settings.query_timeout_seconds)
    pepper = settings.pepper.get_secret_value()
    keys = RuntimeKeys(database, pepper, deadline, clock=time.monotonic, now=_now)
    conflicts = ConflictLog(database, _now)
    pack_log = PackLog(database, new_id=uuid4, conflicts=conflicts)
    recent = RecentMessages(database, deadline)
    cache = SnapshotCache(
        database,
        deadline,
        chassis.metrics,
        clock=time.monotonic,
        wall=time.time,
        max_agents=settings.cached_agents,
        max_weight=settings.cached_memories,
    )
    build_pack: BuildPack | BuildPackFromSql = BuildPack(cache, pack_log, recent, clock=_now)
    if settings.cached_agents == 0:
        build_pack = BuildPackFromSql(database, deadline, pack_log, recent, clock=_now)
    seal_keys = SealKeys.parse(settings.seal_keys.get_secret_value())
    chassis.consume(CHAT_EVENTS, parse_event, HistoryHandler(database, seal_keys).handle)
    chassis.follow(CHANGES, ChangesHandler(cache).apply, on_gap=cache.drop_all)
    chassis.background("pack-log", pack_log.run)
    chassis.background("pack-conflicts", conflicts.run)
    chassis.background("pack-cache", cache.run)
    app = FastAPI(title="Digital Worker context", version="1", docs_url=None, redoc_url=None)
    endpoint = PackEndpoint(keys, build_pack)
    tokens = RunTokens(pepper, now=_now)
    app.include_router(build_router(keys, endpoint, SearchHistory(database, deadline, _now), tokens))
    app.include_router(
        run_router(keys, StartRunCase(database, deadline, cache, tokens, new_id=uuid4, now=_now))
    )
    app.include_router(report_router(tokens, ReportRunCase(database, deadline, now=_now)))
    memory = AgentMemory(database, deadline, pepper, Caps(), now=_now)
    notes = SessionNotes(database, deadline, now=_now)
    for prefix in PREFIXES:
        app.include_router(memory_router(prefix, tokens, memory, notes))
    app.add_middleware(HotPath, endpoint=endpoint)
    chassis.install(app, ready=Ready(PATH, MAX_BODY_BYTES, endpoint.at_once))
    return app


def _now() -> datetime:
    return datetime.now(UTC)
