"""Composition root of panel-api: no work at import, nothing global."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from dw_panel.access import Access
from dw_panel.adapters.cookies import Cookies
from dw_panel.adapters.headers import SecurityHeaders
from dw_panel.adapters.refusal_pages import RefusalPages
from dw_panel.agent_acts import AgentActs
from dw_panel.agent_skills import AgentSkills
from dw_panel.audit import Audit
from dw_panel.bulk import Bulk
from dw_panel.claims import Claims
from dw_panel.decide import Decide
from dw_panel.erase import Erase
from dw_panel.explain import Explain
from dw_panel.gate import Gate
from dw_panel.identities import Identities
from dw_panel.inbox import Inbox
from dw_panel.item_acts import ItemActs
from dw_panel.ledger import Ledger
from dw_panel.lists import Lists
from dw_panel.memory_acts import MemoryActs
from dw_panel.memory_files import MemoryFiles
from dw_panel.numbers import InboxFigures
from dw_panel.orgs import Orgs
from dw_panel.pack_preview import Previews
from dw_panel.people import People
from dw_panel.person_export import PersonExport
from dw_panel.routes import (
    api,
    audit,
    claims,
    erase,
    explain,
    gate,
    identities,
    ledger,
    memory_files,
    numbers,
    packs,
    pages,
    person_export,
    skills,
    souls,
)
from dw_panel.routes.api import UseCases
from dw_panel.routes.form_fields import HOME
from dw_panel.routes.learning import build_learning_router
from dw_panel.routes.uses import LearningUses
from dw_panel.rules import Rules
from dw_panel.settings import Settings
from dw_panel.skill_acts import SkillActs
from dw_panel.souls import Souls
from dw_panel.undo import Undo
from dw_panel.usage import Usage
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
    pepper = settings.pepper.get_secret_value()
    installation_token = settings.installation_token.get_secret_value()
    people = People(database, pepper, installation_token, settings.session_hours, _now)
    orgs = Orgs(database, pepper, _now)
    use = UseCases(
        people=people,
        orgs=orgs,
        inbox=Inbox(database),
        decide=Decide(database, _now),
        audit=Audit(database, _now),
        erase=Erase(database, _now),
    )
    items = ItemActs(database, _now)
    more = LearningUses(
        lists=Lists(database, _now),
        items=items,
        bulk=Bulk(use.inbox, use.decide, items),
        undo=Undo(database, _now),
        memories=MemoryActs(database, _now),
        agents=AgentActs(database, _now),
        rules=Rules(database, _now),
    )
    secure = settings.env == "production"
    app = FastAPI(title="Digital Worker panel", version="1", docs_url=None, redoc_url=None)
    app.include_router(api.build_router(use))
    access = Access(database, orgs, pepper, _now)
    app.include_router(identities.build_router(people, Identities(database, pepper, _now), access))
    app.include_router(audit.build_router(use))
    app.include_router(erase.build_router(use))
    app.include_router(numbers.build_router(people, InboxFigures(database, _now)))
    app.include_router(claims.build_router(people, Claims(database, pepper, _now)))
    app.include_router(person_export.build_router(people, PersonExport(database, _now)))
    app.include_router(explain.build_router(use.people, Explain(database, _now)))
    app.include_router(build_learning_router(use, more))
    skill_acts = SkillActs(database, _now)
    app.include_router(skills.build_router(people, skill_acts, AgentSkills(database, _now)))
    app.include_router(memory_files.build_router(people, MemoryFiles(database, _now)))
    app.include_router(souls.build_router(people, Souls(database, _now)))
    app.include_router(gate.build_router(people, Gate(database, pepper, _now)))
    app.include_router(ledger.build_router(people, Ledger(database, _now)))
    app.include_router(packs.build_router(people, Previews(database, _now), Usage(database)))
    app.include_router(pages.build_router(use, more, skill_acts, Cookies(secure), _now))
    app.mount("/static", StaticFiles(directory=str(files("dw_panel") / "static")), name="static")
    chassis.install(app)
    app.add_middleware(RefusalPages, home=HOME)
    app.add_middleware(SecurityHeaders, secure=secure)  # the outermost: on refusals of the edge too
    return app


def _now() -> datetime:
    return datetime.now(UTC)
