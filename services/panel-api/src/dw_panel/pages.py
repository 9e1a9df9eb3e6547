"""The inbox page: a list, one item, two buttons. Works without JavaScript; every form carries a CSRF token."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Cookie, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from dw_contracts.http.panel import DecideItem
from dw_panel.inbox import Inbox
from dw_panel.people import People, Signed
from dw_runtime import ProblemError

SESSION = "dw_session"
CSRF = "dw_csrf"
HOME = "/app/digital-workers/learning"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
PAGE_ITEMS = 50
REASONS = {
    "unverified_sender": "Unverified sender",
    "unsealed": "No valid seal",
    "high_impact": "High impact",
    "low_confidence": "Low confidence",
    "sensitive": "Sensitive",
    "injection_suspect": "Looks like an instruction",
    "review_mode": "Review mode",
    "channel_proposes": "Channel proposes",
    "skill": "New procedure",
    "conflict": "Contradicts a memory",
    "not_own_words": "Not plainly own words",
    "cap": "Daily cap reached",
    "edited": "Message was edited",
    "source_deleted": "Source was deleted",
    "forget": "Asked to forget",
}
KINDS = {
    "memory_proposal": "Memory",
    "skill_proposal": "Skill",
    "skill_update": "Skill update",
    "review": "Review",
    "soul_update": "Soul",
}


def build_router(people: People, inbox: Inbox, *, secure: bool) -> APIRouter:
    """HTML for people. `secure` marks cookies for HTTPS alone."""
    router = APIRouter(include_in_schema=False)
    templates = _templates()

    def show(name: str, status_code: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(
            templates.get_template(name).render(**values), status_code=status_code, headers=HEADERS
        )

    @router.get("/")
    async def root() -> Response:
        return RedirectResponse(HOME, status_code=303)

    @router.get("/sign-in")
    async def sign_in_page(dw_csrf: Annotated[str, Cookie()] = "") -> Response:
        token = dw_csrf if len(dw_csrf) == 43 else secrets.token_urlsafe(32)
        response = show("sign_in.html", csrf=token, error="")
        response.set_cookie(CSRF, token, httponly=True, samesite="strict", secure=secure)
        return response

    @router.post("/sign-in")
    async def sign_in(
        token: Annotated[str, Form(max_length=256)] = "",
        csrf: Annotated[str, Form(max_length=64)] = "",
        dw_csrf: Annotated[str, Cookie()] = "",
    ) -> Response:
        if not dw_csrf or not _same(csrf, dw_csrf):
            return show("sign_in.html", 403, csrf=dw_csrf, error="The form was too old. Please try again.")
        session = await people.sign_in(token)
        if session is None:
            return show(
                "sign_in.html",
                401,
                csrf=dw_csrf,
                error="This token opens nothing. Ask an owner for a new one.",
            )
        response = RedirectResponse(HOME, status_code=303)
        response.set_cookie(SESSION, session, httponly=True, samesite="strict", secure=secure)
        return response

    @router.post("/sign-out")
    async def sign_out(
        csrf: Annotated[str, Form(max_length=64)] = "", dw_session: Annotated[str, Cookie()] = ""
    ) -> Response:
        signed = await people.session(dw_session)
        if signed is not None and _same(csrf, _csrf_of(dw_session)):
            await people.sign_out(signed)
        response = RedirectResponse("/sign-in", status_code=303)
        response.delete_cookie(SESSION)
        return response

    @router.get(HOME)
    async def learning(
        request: Request,
        item: UUID | None = None,
        status: str = "pending",
        cursor: str = "",
        dw_session: Annotated[str, Cookie()] = "",
    ) -> Response:
        signed = await people.session(dw_session)
        if signed is None:
            return RedirectResponse("/sign-in", status_code=303)
        return await _inbox(request, signed, dw_session, item=item, status=status, cursor=cursor)

    @router.post(HOME + "/{item_id}")
    async def decide(
        request: Request,
        item_id: UUID,
        action: Annotated[str, Form(max_length=16)] = "",
        row_version: Annotated[int, Form(ge=1, le=2**31 - 1)] = 1,
        note: Annotated[str, Form(max_length=2_000)] = "",
        csrf: Annotated[str, Form(max_length=64)] = "",
        dw_session: Annotated[str, Cookie()] = "",
    ) -> Response:
        signed = await people.session(dw_session)
        if signed is None:
            return RedirectResponse("/sign-in", status_code=303)
        if not _same(csrf, _csrf_of(dw_session)) or action not in ("approve", "reject"):
            return await _inbox(
                request, signed, dw_session, item=item_id, status_code=403, error="The form was too old."
            )
        try:
            decision = DecideItem(
                action="approve" if action == "approve" else "reject", row_version=row_version, note=note
            )
            decided = await inbox.decide(signed, item_id, decision)
        except ProblemError as refused:
            found = refused.problem
            text = f"{found.title}: {found.detail}"
            return await _inbox(
                request, signed, dw_session, item=item_id, status_code=found.status, error=text
            )
        done = "Approved" if decided.item.status == "approved" else "Rejected"
        return RedirectResponse(f"{HOME}?done={done}", status_code=303)

    async def _inbox(
        request: Request,
        signed: Signed,
        session: str,
        *,
        item: UUID | None = None,
        status: str = "pending",
        cursor: str = "",
        status_code: int = 200,
        error: str = "",
    ) -> Response:
        wanted = status if status in ("pending", "approved", "rejected", "any") else "pending"
        try:
            page = await inbox.page(
                signed, agent=None, status=wanted, risk="", cursor=cursor, limit=PAGE_ITEMS
            )
            chosen = await inbox.item(signed, item) if item is not None else next(iter(page.items), None)
        except ProblemError as refused:
            found = refused.problem
            return show("refused.html", found.status, title=found.title, detail=found.detail, home=HOME)
        agents = {agent["id"]: agent["name"] for agent in await inbox.agents(signed)}
        done = request.query_params.get("done", "")
        return show(
            "inbox.html",
            status_code,
            signed=signed,
            page=page,
            chosen=chosen,
            agents=agents,
            status=wanted,
            csrf=_csrf_of(session),
            error=error,
            done=done if done in ("Approved", "Rejected") else "",
            home=HOME,
        )

    return router


def _csrf_of(session: str) -> str:
    """Bound to the session, so that another site's form cannot know it."""
    return hmac.new(session.encode(), b"csrf", hashlib.sha256).hexdigest()


def _same(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())


def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("dw_panel"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["when"] = _when
    environment.filters["reason"] = lambda code: REASONS.get(code, code)
    environment.filters["kind"] = lambda code: KINDS.get(code, code)
    return environment


def _when(at: datetime) -> str:
    return f"{at:%d %b %Y, %H:%M} UTC"
