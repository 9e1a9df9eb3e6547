"""Pages for people: sign in, the inbox, a decision. They work without JavaScript; every form carries a CSRF token."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Cookie, Form, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute

from dw_contracts.http.problem import ProblemCode, problem
from dw_learning import scan
from dw_panel.adapters.cookies import CSRF, SESSION, Cookies, anonymous_token, csrf_of, same
from dw_panel.adapters.templates import Templates
from dw_panel.page_acts import PageAct, act_of_page
from dw_panel.page_view import neighbours, on_page, text_for_edit
from dw_panel.people import Signed
from dw_panel.routes.api import UseCases
from dw_panel.routes.uses import LearningUses
from dw_runtime import ProblemError, log
from dw_runtime.echoes import without_echo
from dw_runtime.failures import AGAIN

HOME: Final = "/app/digital-workers/learning"
SIGN_IN: Final = "/sign-in"
PAGE_ITEMS: Final = 50
OLD_FORM: Final = "This form was opened too long ago, or in another session. Please try again."
Status = Literal["pending", "approved", "rejected", "any"]
Action = Literal[
    "approve", "reject", "edit", "claim", "release", "mark_sensitive", "unmark_sensitive", "convert"
]
DONE: Final = {
    "approved": "Approved. It counts from the next reply on.",
    "rejected": "Rejected.",
    "pending": "Saved. The item still waits for somebody to decide it.",
    "undone": "Taken back. The item waits again.",
}
Reason = Literal["", "wrong", "not_lasting", "duplicate", "not_ours", "private", "other"]
Risk = Literal["", "low", "medium", "high", "sensitive"]
SessionCookie = Annotated[str, Cookie(alias=SESSION)]
CsrfCookie = Annotated[str, Cookie(alias=CSRF)]
CsrfField = Annotated[str, Form(max_length=64)]


class PageRoute(APIRoute):
    """A refusal is a page too."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route, and behind it a page for what it raises."""
        inner = super().get_route_handler()
        templates = Templates()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except ProblemError as refused:
                found = refused.problem
            except RequestValidationError:
                found = problem(ProblemCode.INVALID_BODY, 422, "the address or the form does not fit")
            except AGAIN as error:
                log.warning("request.unavailable", reason=type(error).__name__, why=str(error))
                found = problem(ProblemCode.UNAVAILABLE, 503, "please try again in a moment")
            return templates.page("refused.html", found.status, problem=without_echo(found), home=HOME)

        return handler


def build_router(
    use: UseCases, more: LearningUses, cookies: Cookies, clock: Callable[[], datetime]
) -> APIRouter:
    """HTML for people."""
    router = APIRouter(include_in_schema=False, route_class=PageRoute)
    templates = Templates()
    _add_sign_in(router, use, cookies, templates)
    _add_inbox(router, use, more, templates, clock)
    return router


def _add_sign_in(router: APIRouter, use: UseCases, cookies: Cookies, templates: Templates) -> None:
    @router.get("/")
    async def root() -> Response:
        return RedirectResponse(HOME, status_code=303)

    @router.get(SIGN_IN)
    async def sign_in_page(known: CsrfCookie = "") -> Response:
        token = anonymous_token(known)
        response = templates.page("sign_in.html", csrf=token, error="")
        cookies.set(response, CSRF, token)
        return response

    @router.post(SIGN_IN)
    async def sign_in(
        token: Annotated[str, Form(max_length=256)] = "", csrf: CsrfField = "", known: CsrfCookie = ""
    ) -> Response:
        fresh = anonymous_token(known)
        error, status = OLD_FORM, 403
        if same(csrf, known):
            session = await use.people.sign_in(token)
            if session is not None:
                response: Response = RedirectResponse(HOME, status_code=303)
                cookies.set(response, SESSION, session)
                return response
            error, status = "This token opens nothing. Ask an owner of your org for a new one.", 401
        response = templates.page("sign_in.html", status, csrf=fresh, error=error)
        cookies.set(response, CSRF, fresh)
        return response

    @router.post("/sign-out")
    async def sign_out(csrf: CsrfField = "", session: SessionCookie = "") -> Response:
        signed = await use.people.session(session)
        if signed is not None and not same(csrf, csrf_of(session)):
            raise ProblemError(problem(ProblemCode.FORBIDDEN, 403, OLD_FORM))
        if signed is not None:
            await use.people.sign_out(signed)
        response = RedirectResponse(SIGN_IN, status_code=303)
        cookies.drop(response, SESSION)
        return response


def _add_inbox(
    router: APIRouter, use: UseCases, more: LearningUses, templates: Templates, clock: Callable[[], datetime]
) -> None:
    @router.get(HOME)
    async def learning(
        item: UUID | None = None,
        status: Status = "pending",
        risk: Risk = "",
        agent: str = "",
        cursor: Annotated[str, Query(max_length=200)] = "",
        done: Literal["", "approved", "rejected", "pending", "undone"] = "",
        act: Annotated[str, Query(max_length=36)] = "",
        session: SessionCookie = "",
    ) -> Response:
        signed = await use.people.session(session)
        if signed is None:
            return RedirectResponse(SIGN_IN, status_code=303)
        wanted = {"status": status, "risk": risk, "agent": agent, "cursor": cursor}
        return await _render(signed, session, wanted, item=item, done=done, act=act)

    @router.post(HOME + "/acts/{act_id}/undo")
    async def undo(act_id: UUID, csrf: CsrfField = "", session: SessionCookie = "") -> Response:
        signed = await use.people.session(session)
        if signed is None:
            return RedirectResponse(SIGN_IN, status_code=303)
        wanted = {"status": "pending", "risk": "", "agent": "", "cursor": ""}
        if not same(csrf, csrf_of(session)):
            return await _render(signed, session, wanted, item=None, status_code=403, error=OLD_FORM)
        try:
            taken = await more.undo.undo(signed, act_id)
        except ProblemError as refused:
            return await _render(signed, session, wanted, item=None, **_refused(refused))
        where = f"{HOME}?done=undone" + (f"&item={taken.item_id}" if taken.item_id else "")
        return RedirectResponse(where, status_code=303)

    @router.post(HOME + "/{item_id}")
    async def decide(
        item_id: UUID,
        action: Annotated[Action, Form()],
        row_version: Annotated[int, Form(ge=1, le=2**31 - 1)],
        note: Annotated[str, Form(max_length=2_000)] = "",
        text: Annotated[str, Form(max_length=20_000)] = "",
        reason: Annotated[Reason, Form()] = "",
        never_again: Annotated[bool, Form()] = False,
        agent: Annotated[str, Form(max_length=64)] = "",
        csrf: CsrfField = "",
        session: SessionCookie = "",
    ) -> Response:
        signed = await use.people.session(session)
        if signed is None:
            return RedirectResponse(SIGN_IN, status_code=303)
        wanted = {"status": "pending", "risk": "", "agent": agent, "cursor": ""}
        if not same(csrf, csrf_of(session)):
            return await _render(signed, session, wanted, item=item_id, status_code=403, error=OLD_FORM)
        asked = PageAct(action, row_version, scan.inert(note).strip(), text, reason or None, never_again)
        try:
            done = await act_of_page(use, more, signed, item_id, asked)
        except ProblemError as refused:
            if refused.problem.status == 404:
                raise
            return await _render(signed, session, wanted, item=item_id, **_refused(refused))
        where = f"{HOME}?done={done.status}" + (f"&agent={_uuid(agent)}" if _uuid(agent) else "")
        where += f"&act={done.act_id}" if done.act_id else ""
        where += f"&item={done.item_id}" if done.status == "pending" else ""
        return RedirectResponse(where, status_code=303)

    async def _render(
        signed: Signed,
        session: str,
        wanted: dict[str, str],
        *,
        item: UUID | None,
        status_code: int = 200,
        error: str = "",
        done: str = "",
        act: str = "",
    ) -> Response:
        filters = {name: wanted[name] for name in ("status", "risk", "cursor")}
        agent = _uuid(wanted["agent"])
        page = await use.inbox.page(signed, agent=agent, limit=PAGE_ITEMS, **filters)
        chosen = await use.inbox.item(signed, item) if item is not None else next(iter(page.items), None)
        agents = {found.id: found for found in await use.inbox.agents(signed)}
        channels = await use.inbox.channels(signed, [chosen] if chosen is not None else [])
        now = clock()
        return templates.page(
            "inbox.html",
            status_code,
            signed=signed,
            items=[on_page(view, agents, channels, now) for view in page.items],
            chosen=on_page(chosen, agents, channels, now) if chosen is not None else None,
            is_picked=item is not None,
            next_cursor=page.next_cursor,
            total=page.total,
            agents=sorted(agents.values(), key=lambda found: found.name),
            wanted={**wanted, "agent": str(agent) if agent else ""},
            csrf=csrf_of(session),
            error=error,
            done=DONE.get(done, ""),
            act=str(_uuid(act) or "") if done in ("approved", "rejected") else "",
            edit_text=text_for_edit(chosen) if chosen is not None else "",
            neighbours=neighbours(page.items, chosen.id if chosen is not None else None),
            home=HOME,
        )


def _refused(refused: ProblemError) -> dict[str, Any]:
    found = refused.problem
    return {"status_code": found.status, "error": f"{found.title}: {found.detail}."}


def _uuid(text: str) -> UUID | None:
    """A form sends an empty field for no choice."""
    try:
        return UUID(text) if text else None
    except ValueError:
        raise ProblemError(problem(ProblemCode.NOT_FOUND, 404, "there is no such role-agent")) from None
