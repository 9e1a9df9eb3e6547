"""A new org with its first owner, or a fresh token for an owner of one that is there (C74)."""

from __future__ import annotations

import uuid
from datetime import datetime
from uuid import UUID

import asyncpg

from dw_contracts.http.org_file import CreatedOrg, CreateOrg
from dw_store.audit import NewEvent, write_events
from dw_store.database import Database, Tx
from dw_store.json_rows import json_rows
from dw_store.orgs import sql
from dw_store.orgs.conflicts import OrgConflict
from dw_store.orgs.secrets import Actor, make_tokens
from dw_store.versions import raise_versions


class NoSuchOwner(Exception):
    """The org is there, and nobody of this code is an active owner of it."""


async def create_org(database: Database, request: CreateOrg, pepper: str, now: datetime) -> CreatedOrg:
    """Idempotent by the org's code; of two at once one creates it. Raises NoSuchOwner, OrgConflict."""
    async with database.system() as tx:
        org_id: UUID | None = await tx.fetchval(sql.ORG_ID, request.org)
    if (
        org_id is None
        and (created := await _create(database, uuid.uuid4(), request, pepper, now)) is not None
    ):
        return created
    if org_id is None:
        async with database.system() as tx:
            org_id = await tx.fetchval(sql.ORG_ID, request.org)
    if org_id is None:
        raise OrgConflict(request.org)
    async with database.transaction([org_id]) as tx:
        owner: UUID | None = await tx.fetchval(sql.OWNER_BY_CODE, org_id, request.owner)
        if owner is None:
            raise NoSuchOwner(request.owner)
        token = await _token(tx, org_id, request.owner, owner, pepper)
        await _audit(tx, org_id, owner, "owner_token_created", request.owner, now)
    return CreatedOrg(org_id=org_id, owner_id=owner, owner_token=token, created=False)


async def _create(
    database: Database, org_id: UUID, request: CreateOrg, pepper: str, now: datetime
) -> CreatedOrg | None:
    """None if somebody else created it at this moment."""
    async with database.transaction([org_id]) as tx:
        name = request.name or request.org
        if await tx.execute(sql.CREATE_ORG, org_id, request.org, name) != "INSERT 0 1":
            return None
        owner = await _first_owner(tx, org_id, request)
        await tx.execute(sql.SEED_ORG, org_id)
        token = await _token(tx, org_id, request.owner, owner, pepper)
        await _audit(tx, org_id, owner, "org_created", request.org, now)
    return CreatedOrg(org_id=org_id, owner_id=owner, owner_token=token, created=True)


async def _first_owner(tx: Tx, org_id: UUID, request: CreateOrg) -> UUID:
    """Known by mail address, or new. The operator vouches for the first owner, so there is nothing to accept."""
    email = request.owner_email.lower() if request.owner_email else None
    rows = await tx.fetch(sql.KNOWN_USERS, [request.owner], [email]) if email else []
    known: UUID | None = next((row["user_id"] for row in rows), None)
    owner = known or uuid.uuid4()
    user = {
        "user_id": owner,
        "code": request.owner,
        "name": request.owner_name or request.owner,
        "email": email,
    }
    try:
        if known is None:
            await tx.execute(sql.INSERT_USERS, json_rows([user]))
        member = {**user, "role": "owner", "status": "active"}
        await tx.execute(sql.UPSERT_MEMBERS, json_rows([member]), org_id)
    except asyncpg.UniqueViolationError as error:
        raise OrgConflict(error.constraint_name or "unique") from error
    return owner


async def _token(tx: Tx, org_id: UUID, code: str, owner: UUID, pepper: str) -> str:
    actor = Actor(owner, may_change_roles=True, pepper=pepper)
    return (await make_tokens(tx, org_id, {code: owner}, actor))[code]


async def _audit(tx: Tx, org_id: UUID, owner: UUID, event_type: str, name: str, now: datetime) -> None:
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
    await write_events(tx, [event], versions, now)
