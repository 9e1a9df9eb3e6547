"""Who is asking (C74): tokens and sessions bound to (org, user); the installation token opens one door alone."""

from __future__ import annotations

import hmac
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from dw_contracts.http.org_file import CODE
from dw_learning.authority import Person
from dw_panel.refusals import NO_SUCH_ORG, forbidden, unauthenticated
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import AT_THE_DOOR, Deadline
from dw_store.database import Database
from dw_store.keys import PREFIX, FoundKey, NewKey, create_key, find_key, hash_secret, revoke_keys
from dw_store.orgs.members import find_member, record_session

MAX_SECRET = 256
USER_TOKEN: Final = "a user token"
_CODE = re.compile(CODE)


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed-in person in one org."""

    org_id: UUID
    org: str
    code: str
    person: Person
    key_id: UUID


class People:
    """Every request is authenticated anew: a removed member is out at the next one."""

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

    async def check_installation(self, authorization: str) -> None:
        """Constant time; an empty setting opens nothing. Refuses: 401, or 403 to a person with a token of his own."""
        token, expected = _bearer(authorization), self._installation_token.encode()
        if expected and hmac.compare_digest(token.encode("utf-8", "replace"), expected):
            return
        if await self._find(token, "user") is not None:
            raise forbidden("the installation token alone creates orgs")
        raise unauthenticated("send Authorization: Bearer with the installation token")

    async def member(self, authorization: str, org: str, expected: str = USER_TOKEN) -> Signed:
        """The person behind a token, in the org of the path. A token of another org finds no such org. `expected` is
        what a 401 asks for, at doors that open to others too."""
        signed = await self._signed(await self._key(authorization, expected), org)
        if signed is None:
            raise ProblemError(NO_SUCH_ORG)
        return signed

    async def anywhere(self, authorization: str) -> Signed:
        """The person behind a token, in the org that it is bound to."""
        signed = await self._signed(await self._key(authorization), None)
        if signed is None:
            raise unauthenticated("this token opens nothing any more")
        return signed

    async def session(self, secret: str) -> Signed | None:
        """The person behind a browser's session, if it still holds."""
        key = await self._find(secret, "session")
        return await self._signed(key, None) if key is not None else None

    async def sign_in(self, token: str) -> str | None:
        """A session for the owner of a user token; None if the token opens nothing."""
        key = await self._find(token.strip(), "user")
        if key is None or key.user_id is None or await self._signed(key, None) is None:
            return None
        new = NewKey(
            key_id=uuid.uuid4(),
            org_id=key.org_id,
            kind="session",
            name="browser",
            created_by=str(key.user_id),
            user_id=key.user_id,
            expires_at=self._clock() + self._session,
        )
        async with self._database().transaction([key.org_id]) as tx:
            secret = await create_key(tx, new, self._pepper)
            made = {"key": str(new.key_id), "kind": "session", "ends": str(new.expires_at)}
            await record_session(tx, key.org_id, key.user_id, "key_created", None, made, self._clock())
            return secret

    async def runtime(self, authorization: str) -> FoundKey | None:
        """The key of a runtime, which speaks for its role-agents and for no person; None for anything else."""
        return await self._find(_bearer(authorization), "runtime")

    async def sign_out(self, signed: Signed) -> None:
        """The session opens nothing from here on."""
        async with self._database().transaction([signed.org_id]) as tx:
            await revoke_keys(tx, signed.org_id, [signed.key_id], self._clock())
            was, now = {"key": str(signed.key_id), "kind": "session"}, self._clock()
            gone = was | {"revoked": str(now)}
            await record_session(tx, signed.org_id, signed.person.user_id, "key_revoked", was, gone, now)

    async def _key(self, authorization: str, expected: str = USER_TOKEN) -> FoundKey:
        key = await self._find(_bearer(authorization), "user")
        if key is None:
            raise unauthenticated(f"send Authorization: Bearer with {expected}")
        return key

    async def _find(self, secret: str, kind: Literal["user", "session", "runtime"]) -> FoundKey | None:
        if not secret.startswith(PREFIX[kind]) or len(secret) > MAX_SECRET:
            return None
        return await Deadline(AT_THE_DOOR).run(self._found(secret, kind))

    async def _found(self, secret: str, kind: Literal["user", "session", "runtime"]) -> FoundKey | None:
        async with self._database().system() as tx:
            return await find_key(tx, hash_secret(secret, self._pepper), [kind], self._clock())

    async def _signed(self, key: FoundKey, org: str | None) -> Signed | None:
        """None for no active membership, and for another org than the key's: known or not, it is the same work."""
        if key.user_id is None:
            return None
        asked = org if org is not None and _CODE.fullmatch(org) else ""
        async with self._database().transaction([key.org_id]) as tx:
            row = await find_member(tx, key.org_id, key.user_id, asked)
        if row is None or (org is not None and row["asked"] != key.org_id):
            return None
        person = Person(row["user_id"], row["role"], frozenset(row["manages"]))
        return Signed(key.org_id, row["org"], row["code"], person, key.key_id)


def _bearer(authorization: str) -> str:
    scheme, _, secret = authorization.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
