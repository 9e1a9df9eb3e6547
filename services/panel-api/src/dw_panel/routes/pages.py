"""Pages for people: signing in and out. They work without JavaScript; every form carries a CSRF token."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute

from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.json_places import is_plain_name
from dw_panel.adapters.cookies import CSRF, SESSION, Cookies, anonymous_token, csrf_of, same
from dw_panel.adapters.templates import Templates
from dw_panel.routes.api import UseCases
from dw_panel.routes.form_fields import HOME, OLD_FORM, SIGN_IN, CsrfCookie, CsrfField, SessionCookie
from dw_panel.routes.guard import SignInFirst
from dw_panel.routes.inbox_pages import InboxPages, add_inbox_pages
from dw_panel.routes.knowledge_pages import KnowledgePages, add_knowledge_pages
from dw_panel.routes.uses import LearningUses
from dw_panel.skill_acts import SkillActs
from dw_runtime import ProblemError, log
from dw_runtime.echoes import without_echo
from dw_runtime.failures import AGAIN

MAX_TOKEN: Final = 256
"""Characters. What is longer is none of ours, and is told so as any other that opens nothing."""


class PageRoute(APIRoute):
    """A refusal is a page too."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route, and behind it a page for what it raises."""
        inner = super().get_route_handler()
        templates = Templates()

        async def handler(request: Request) -> Response:
            try:
                self._refuse_unknown(request)
                return await inner(request)
            except SignInFirst:
                return RedirectResponse(SIGN_IN, status_code=303)
            except ProblemError as refused:
                found = refused.problem
            except RequestValidationError:
                found = problem(ProblemCode.INVALID_BODY, 422, "the address or the form does not fit")
            except AGAIN as error:
                log.warning("request.unavailable", reason=type(error).__name__, why=str(error))
                found = problem(ProblemCode.UNAVAILABLE, 503, "please try again in a moment")
            return templates.page("refused.html", found.status, problem=without_echo(found), home=HOME)

        return handler

    def _refuse_unknown(self, request: Request) -> None:
        """A filter that there is not would show another list than was asked for, as a wrong value of one would."""
        known = {field.alias for field in self.dependant.query_params}
        if unknown := sorted({*request.query_params} - known):
            named = ", ".join(name if is_plain_name(name) else "one that is no name" for name in unknown[:3])
            detail = f"the address has something that this page does not know: {named}"
            raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, detail))


def build_router(
    use: UseCases,
    more: LearningUses,
    skills: SkillActs,
    cookies: Cookies,
    clock: Callable[[], datetime],
) -> APIRouter:
    """HTML for people."""
    router = APIRouter(include_in_schema=False, route_class=PageRoute)
    templates = Templates()
    _add_sign_in(router, use, cookies, templates)
    add_inbox_pages(router, InboxPages(use, more, templates, clock))
    add_knowledge_pages(router, KnowledgePages(use, more, skills, templates))
    return router


def _add_sign_in(router: APIRouter, use: UseCases, cookies: Cookies, templates: Templates) -> None:
    @router.get("/")
    async def root() -> Response:
        return RedirectResponse(HOME, status_code=303)

    @router.get("/favicon.ico")
    async def icon() -> Response:
        """Browsers ask for it by this name, whatever a page says."""
        return RedirectResponse("/static/icon.svg", status_code=308)

    @router.get(SIGN_IN)
    async def sign_in_page(known: CsrfCookie = "") -> Response:
        token = anonymous_token(known)
        response = templates.page("sign_in.html", csrf=token, error="")
        cookies.set(response, CSRF, token)
        return response

    @router.post(SIGN_IN)
    async def sign_in(
        token: Annotated[str, Form()] = "", csrf: CsrfField = "", known: CsrfCookie = ""
    ) -> Response:
        fresh = anonymous_token(known)
        error, status = OLD_FORM, 403
        if same(csrf, known):
            session = await use.people.sign_in(token) if len(token) <= MAX_TOKEN else None
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
