"""Use cases of orgs: create one, bring one to what its file says (C74)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from dw_contracts.http.org_file import AppliedOrg, CreatedOrg, CreateOrg, OrgFile
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_contracts.ids import OrgId
from dw_learning.authority import may_change_org, may_change_roles
from dw_panel.people import Signed
from dw_runtime import Handle, ProblemError
from dw_store.audit import NewEvent, write_events
from dw_store.database import Database, Tx
from dw_store.json_rows import json_rows
from dw_store.orgs import sql
from dw_store.orgs.write import Actor, LastOwner, apply_org_file, create_user_token
from dw_store.versions import raise_versions


class Orgs:
    """Writes go through the store, in one transaction each."""

    def __init__(self, database: Handle[Database], pepper: str, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._pepper = pepper
        self._clock = clock

    async def create(self, request: CreateOrg) -> CreatedOrg:
        """With the installation token alone: a new org with its first owner, or a fresh token for an owner."""
        async with self._database().system() as tx:
            org_id: UUID | None = await tx.fetchval(sql.ORG_ID, request.org)
        if org_id is not None:
            return await self._token_again(org_id, request)
        org_id = uuid.uuid4()
        async with self._database().transaction([OrgId(org_id)]) as tx:
            await tx.execute(sql.CREATE_ORG, org_id, request.org, request.name or request.org)
            owner = await self._owner(tx, org_id, request)
            await tx.execute(sql.SEED_ORG, org_id)
            token = await create_user_token(tx, org_id, owner, Actor(owner, self._pepper))
            await self._audit(tx, org_id, owner, "org_created", request.org)
        return CreatedOrg(org_id=org_id, owner_id=owner, owner_token=token, created=True)

    async def apply(self, signed: Signed, file: OrgFile, *, dry_run: bool) -> AppliedOrg:
        """Admins change the org; who is owner or admin is changed by owners."""
        if not may_change_org(signed.person):
            raise _forbidden("only admins and owners change the org")
        if file.org != signed.org:
            wrong = FieldError(at="org", problem="does not name the org of the address")
            raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, "the file is of another org", (wrong,)))
        if not may_change_roles(signed.person) and any(user.role != "member" for user in file.users.values()):
            raise _forbidden("only owners name admins and owners")
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            actor = Actor(signed.person.user_id, self._pepper)
            try:
                return await apply_org_file(tx, signed.org_id, file, actor, self._clock(), dry_run=dry_run)
            except LastOwner:
                raise ProblemError(
                    problem(ProblemCode.CONFLICT, 409, "the org would be left without an active owner")
                ) from None

    async def _token_again(self, org_id: UUID, request: CreateOrg) -> CreatedOrg:
        async with self._database().transaction([OrgId(org_id)]) as tx:
            owner = await tx.fetchval(sql.OWNER_BY_CODE, org_id, request.owner)
            if owner is None:
                raise ProblemError(
                    problem(ProblemCode.CONFLICT, 409, "the org exists, and has no such active owner")
                )
            token = await create_user_token(tx, org_id, owner, Actor(owner, self._pepper))
            await self._audit(tx, org_id, owner, "owner_token_created", request.owner)
        return CreatedOrg(org_id=org_id, owner_id=owner, owner_token=token, created=False)

    async def _owner(self, tx: Tx, org_id: UUID, request: CreateOrg) -> UUID:
        email = request.owner_email.lower() if request.owner_email else None
        known = await tx.fetch(sql.KNOWN_USERS, [request.owner], [email]) if email else []
        owner: UUID = next((row["user_id"] for row in known if row["user_id"]), None) or uuid.uuid4()
        user = {"user_id": owner, "code": request.owner, "name": request.owner, "email": email}
        if not any(row["user_id"] for row in known):
            await tx.execute(sql.INSERT_USERS, json_rows([user]))
        await tx.execute(
            sql.UPSERT_MEMBERS, json_rows([{**user, "role": "owner", "status": "active"}]), org_id
        )
        return owner

    async def _audit(self, tx: Tx, org_id: UUID, owner: UUID, event_type: str, name: str) -> None:
        versions = await raise_versions(tx, [(org_id, None)])
        event = NewEvent(
            org_id=org_id,
            event_type=event_type,
            actor_type="system",
            actor_id="installation",
            subject_type="org",
            subject_id=org_id,
            after={"name": name, "owner": str(owner)},
        )
        await write_events(tx, [event], versions, self._clock())


def _forbidden(detail: str) -> ProblemError:
    return ProblemError(problem(ProblemCode.FORBIDDEN, 403, detail))
