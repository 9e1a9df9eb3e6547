"""What the forms of all pages share: addresses, cookies, the CSRF field."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Cookie, Form

from dw_panel.adapters.cookies import CSRF, SESSION

HOME: Final = "/app/digital-workers/learning"
KNOWLEDGE: Final = "/app/digital-workers/knowledge"
SIGN_IN: Final = "/sign-in"
OLD_FORM: Final = "This form was opened too long ago, or in another session. Please try again."
SessionCookie = Annotated[str, Cookie(alias=SESSION)]
CsrfCookie = Annotated[str, Cookie(alias=CSRF)]
CsrfField = Annotated[str, Form(max_length=64)]
