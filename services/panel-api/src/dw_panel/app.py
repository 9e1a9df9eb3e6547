"""Composition root of panel-api: no work at import, nothing global."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from dw_panel import api, pages
from dw_panel.inbox import Inbox
from dw_panel.orgs import Orgs
from dw_panel.people import People
from dw_panel.settings import Settings
from dw_runtime import Chassis
from dw_store.database import Database


def create_app(settings: Settings) -> FastAPI:
    """The panel process: JSON for programs, pages for people; both call the same use cases."""
    chassis = Chassis(settings)
    database = chassis.resource(
        lambda: Database.connect(
            settings.database_url.get_secret_value(), size=settings.pool_size, application_name="dw-panel"
        )
    )

    def clock() -> datetime:
        return datetime.now(UTC)

    pepper = settings.pepper.get_secret_value()
    people = People(
        database, pepper, settings.installation_token.get_secret_value(), settings.session_hours, clock
    )
    orgs = Orgs(database, pepper, clock)
    inbox = Inbox(database, clock)
    app = FastAPI(title="Digital Worker panel", version="1", docs_url=None, redoc_url=None)
    app.include_router(api.build_router(people, orgs, inbox))
    app.include_router(pages.build_router(people, inbox, secure=settings.env == "production"))
    app.mount("/static", StaticFiles(directory=str(files("dw_panel") / "static")), name="static")
    chassis.install(app)
    return app
