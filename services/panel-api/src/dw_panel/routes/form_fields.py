"""What the forms of all pages share: addresses, cookies, the CSRF field, what a refusal looks like."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Cookie, Form

from dw_panel.adapters.cookies import CSRF, SESSION
from dw_panel.carried import MAX_BACK
from dw_runtime import ProblemError

HOME: Final = "/app/digital-workers/learning"
KNOWLEDGE: Final = "/app/digital-workers/knowledge"
SIGN_IN: Final = "/sign-in"
OLD_FORM: Final = "This form was opened too long ago, or in another session. Please try again."
SessionCookie = Annotated[str, Cookie(alias=SESSION)]
CsrfCookie = Annotated[str, Cookie(alias=CSRF)]
CsrfField = Annotated[str, Form(max_length=64)]
Back = Annotated[str, Form(max_length=MAX_BACK)]


def refusal_shown(refused: ProblemError) -> dict[str, Any]:
    """A refusal as the page that was acted on says it."""
    found = refused.problem
    return {"status_code": found.status, "error": f"{found.title}: {found.detail}."}


def uuid_of(text: str) -> UUID | None:
    """An id of an address or a form; None for an empty field, which means no choice, and for what is no id."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
