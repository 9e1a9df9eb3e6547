"""Who is asking (C74): tokens and sessions bound to (org, user); the installation token opens one door alone."""

from __future__ import annotations

import hmac
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.ids import OrgId
from dw_learning.authority import Person
from dw_runtime import Handle, ProblemError
from dw_store.database import Database
from dw_store.keys import FoundKey, NewKey, create_key, find_key, hash_secret, revoke_keys
from dw_store.orgs.sql import MEMBER, ORG_ID

NO_SUCH_ORG = problem(ProblemCode.NOT_FOUND, 404, "there is no such org, or it is not yours")


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed-in person in one org."""

    org_id: UUID
    org: str
    code: str
    person: Person
    key_id: UUID


class People:
    """Every request is authenticated anew: a removed member is out at his next request."""

    def __init__(
        self,
        database: Handle[Database],
        pepper: str,
        installation_token: str,
        session_hours: int,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._pepper = pepper
        self._installation_token = installation_token
        self._session = timedelta(hours=session_hours)
        self._clock = clock

    def is_installation(self, authorization: str) -> bool:
        """Constant time; an empty setting opens nothing."""
        token = _bearer(authorization)
        expected = self._installation_token.encode()
        return bool(expected) and hmac.compare_digest(token.encode("utf-8", "replace"), expected)

    async def member(self, authorization: str, org: str) -> Signed:
        """The person behind a token, in the org of the path. A token of another org finds no such org."""
        key = await self._find(_bearer(authorization), "user")
        if key is None:
            raise ProblemError(
                problem(ProblemCode.UNAUTHENTICATED, 401, "send Authorization: Bearer with a user token")
            )
        return await self._signed(key, org)

    async def session(self, secret: str) -> Signed | None:
        """The person behind a browser's session, if it still holds."""
        key = await self._find(secret, "session")
        if key is None:
            return None
        try:
            return await self._signed(key, None)
        except ProblemError:
            return None

    async def sign_in(self, token: str) -> str | None:
        """A session for the owner of a user token; None if the token opens nothing."""
        key = await self._find(token.strip(), "user")
        if key is None or key.user_id is None:
            return None
        now = self._clock()
        async with self._database().transaction([OrgId(key.org_id)]) as tx:
            if await tx.fetchrow(MEMBER, key.org_id, key.user_id) is None:
                return None
            new = NewKey(
                key_id=uuid.uuid4(),
                org_id=key.org_id,
                kind="session",
                name="browser",
                created_by=str(key.user_id),
                user_id=key.user_id,
                expires_at=now + self._session,
            )
            return await create_key(tx, new, self._pepper)

    async def sign_out(self, signed: Signed) -> None:
        """The session opens nothing from here on."""
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            await revoke_keys(tx, signed.org_id, [signed.key_id], self._clock())

    async def _find(self, secret: str, kind: str) -> FoundKey | None:
        if not secret:
            return None
        async with self._database().system() as tx:
            return await find_key(
                tx,
                hash_secret(secret, self._pepper),
                ["user" if kind == "user" else "session"],
                self._clock(),
            )

    async def _signed(self, key: FoundKey, org: str | None) -> Signed:
        async with self._database().transaction([OrgId(key.org_id)]) as tx:
            row = await tx.fetchrow(MEMBER, key.org_id, key.user_id)
            code = await tx.fetchval(
                "SELECT o.code FROM dw_orgs AS o WHERE o.id = $1 /* org_id = id */", key.org_id
            )
            asked = await tx.fetchval(ORG_ID, org) if org is not None else key.org_id
        if row is None or asked != key.org_id:
            raise ProblemError(NO_SUCH_ORG)
        person = Person(row["user_id"], row["role"], frozenset(row["manages"]))
        return Signed(key.org_id, code, row["code"], person, key.key_id)


def _bearer(authorization: str) -> str:
    scheme, _, secret = authorization.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
