"""Who may look at a page, and whether a form is one of ours: said once for all pages."""

from __future__ import annotations

from dw_panel.adapters.cookies import csrf_of, same
from dw_panel.people import People, Signed


class SignInFirst(Exception):
    """Nobody is signed in: PageRoute leads to the sign-in page."""


async def signed_in(people: People, session: str) -> Signed:
    """The person behind the browser's session. Raises SignInFirst."""
    signed = await people.session(session)
    if signed is None:
        raise SignInFirst
    return signed


async def signed_form(people: People, session: str, csrf: str) -> tuple[Signed, bool]:
    """The same for a form that was sent, and whether it is of this session (OLD_FORM says what to do where it is not).
    Raises SignInFirst."""
    signed = await signed_in(people, session)
    return signed, same(csrf, csrf_of(session))
