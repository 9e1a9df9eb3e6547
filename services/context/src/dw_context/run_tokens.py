"""Run tokens: JWTs of ours (HS256) that say what a run is bound to (C74, R182). Only this service makes or reads them."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import orjson

from dw_context.adapters.keys import RuntimeKeys
from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime import ProblemError
from dw_store.keys import FoundKey
from dw_store.runs import Run

_HEADER: Final = {"alg": "HS256", "typ": "JWT"}
_PURPOSE: Final = b"dw run token v1"
MAX_CHARS: Final = 2_048
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="context"'}


@dataclass(frozen=True, slots=True)
class RunTokens:
    """`pepper` is the installation's; the signing key follows from it, and signs nothing else."""

    pepper: str
    now: Callable[[], datetime]

    def make(self, run: Run) -> str:
        """The token of a run."""
        claims = {
            "iss": "dw-context",
            "jti": str(run.run_id),
            "org": str(run.org_id),
            "agent": str(run.role_agent_id),
            "channel": str(run.channel_id),
            "event": str(run.event_id) if run.event_id is not None else None,
            "exp": int(run.expires_at.timestamp()),
        }
        signed = b".".join(_encoded(orjson.dumps(part)) for part in (_HEADER, claims))
        return b".".join((signed, _encoded(self._mac(signed)))).decode()

    def read(self, authorization: str) -> Run:
        """The run of this header. Raises ProblemError (401): a token that is none of ours says nothing about why."""
        run = self.find(authorization)
        if run is None:
            raise unauthenticated("a run token, which POST /v1/runs gives")
        return run

    def find(self, authorization: str) -> Run | None:
        """The run of this header; None for what is no run token of ours. Raises ProblemError (401) where it is over."""
        scheme, _, token = authorization.partition(" ")
        claims = self._claims(token.strip()) if scheme.lower() == "bearer" else None
        if claims is None:
            return None
        expires_at = datetime.fromtimestamp(claims["exp"], UTC)
        if expires_at <= self.now():
            raise over()
        return Run(
            run_id=UUID(claims["jti"]),
            org_id=UUID(claims["org"]),
            role_agent_id=UUID(claims["agent"]),
            channel_id=UUID(claims["channel"]),
            event_id=UUID(claims["event"]) if claims["event"] else None,
            expires_at=expires_at,
        )

    def _claims(self, token: str) -> dict[str, Any] | None:
        parts = token.encode("utf-8", "replace").split(b".") if len(token) <= MAX_CHARS else []
        if len(parts) != 3:
            return None
        signed, mac = b".".join(parts[:2]), _decoded(parts[2])
        if mac is None or not hmac.compare_digest(mac, self._mac(signed)):
            return None
        if orjson.loads(_decoded(parts[0]) or b"null") != _HEADER:
            return None
        claims: dict[str, Any] = orjson.loads(_decoded(parts[1]) or b"{}")  # ours: the MAC holds
        return claims

    def _mac(self, signed: bytes) -> bytes:
        return hmac.digest(hmac.digest(self.pepper.encode(), _PURPOSE, "sha256"), signed, "sha256")


async def run_or_key(authorization: str, tokens: RunTokens, keys: RuntimeKeys) -> Run | FoundKey:
    """Who asks at a door that two kinds open. Raises ProblemError (401) in the same words for whatever opens nothing."""
    run = tokens.find(authorization)
    if run is not None:
        return run
    try:
        return await keys.authenticate(authorization)
    except ProblemError as error:
        if error.problem.status != 401:  # nobody said that the key is wrong: the database did not answer
            raise
        raise unauthenticated("a runtime key, or a run token, which POST /v1/runs gives") from None


def unauthenticated(expected: str) -> ProblemError:
    """401 that says which kind of secret the route expects, and nothing of the one that was sent."""
    found = problem(ProblemCode.UNAUTHENTICATED, 401, f"send Authorization: Bearer with {expected}")
    return ProblemError(found, CHALLENGE)


def over() -> ProblemError:
    """One answer for a run that is over, was revoked, or whose agent left the channel."""
    detail = "the run is over: start a new one with POST /v1/runs"
    return ProblemError(problem(ProblemCode.UNAUTHENTICATED, 401, detail), CHALLENGE)


def _encoded(value: bytes) -> bytes:
    return base64.urlsafe_b64encode(value).rstrip(b"=")


def _decoded(value: bytes) -> bytes | None:
    try:
        return base64.b64decode(value + b"=" * (-len(value) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return None
