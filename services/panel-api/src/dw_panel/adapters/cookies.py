"""The browser's session and its proof that a form is ours. Sign-in has no session yet, so its form is tied to a cookie."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

SESSION: Final = "dw_session"
CSRF: Final = "dw_csrf"
_ANONYMOUS: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Cookies:
    """HttpOnly and SameSite=Strict always; `secure` binds them to TLS."""

    secure: bool

    def set(self, response: Response, name: str, value: str) -> None:
        """Until the browser closes; a session also ends on the server's side."""
        response.set_cookie(name, value, httponly=True, samesite="strict", secure=self.secure)

    def drop(self, response: Response, name: str) -> None:
        """Gone, under the same attributes."""
        response.delete_cookie(name, httponly=True, samesite="strict", secure=self.secure)


def anonymous_token(sent: str) -> str:
    """The one that the browser has, so that two open tabs both work; else a new one."""
    return sent if _ANONYMOUS.fullmatch(sent) else secrets.token_urlsafe(32)


def csrf_of(session: str) -> str:
    """Bound to the session, so that another site's form cannot know it."""
    return hmac.new(session.encode(), b"csrf", hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    """In constant time; nothing equals nothing."""
    return bool(left) and hmac.compare_digest(
        left.encode("utf-8", "replace"), right.encode("utf-8", "replace")
    )
