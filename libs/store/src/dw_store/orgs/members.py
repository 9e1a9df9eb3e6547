"""Members of an org, and invitations to people of another one (C73, C74).

An invitation is no row: it is an HMAC over the membership as it stands, so that a change of role or a removal voids it,
and its acceptance too. It opens nothing by itself: only the invited person, signed in with a token of an org of his own,
can accept it. So neither the org that once made the user nor the one that invites him can act for him in the other.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from dw_store.audit import NewEvent, record, write_events
from dw_store.database import Tx
from dw_store.orgs import sql
from dw_store.orgs.secrets import Actor, make_tokens
from dw_store.versions import raise_versions

PREFIX = "dw_iv_"


@dataclass(frozen=True, slots=True)
class Invitation:
    """What an admin hands to the invited person, by a way of his own."""

    code: str
    user_id: UUID
    role: str
    secret: str


async def find_member(tx: Tx, org_id: UUID, user_id: UUID, asked_org: str) -> Any | None:
    """The active membership with what it manages. `asked` is the id of the org that was asked for: the same work
    whether there is such an org or not."""
    return await tx.fetchrow(sql.MEMBER, org_id, user_id, asked_org)


async def invitations_of(tx: Tx, org_id: UUID, pepper: str) -> list[Invitation]:
    """Those that wait, by code."""
    return [_invitation(org_id, row, pepper) for row in await tx.fetch(sql.INVITED, org_id, None)]


async def accept_invitation(
    tx: Tx, org_id: UUID, user_id: UUID, secret: str, pepper: str, now: datetime
) -> str | None:
    """The new member's token for this org; None where there is no such invitation."""
    row = next(iter(await tx.fetch(sql.INVITED, org_id, user_id)), None)
    expected = _invitation(org_id, row, pepper) if row is not None else None
    if row is None or expected is None or not hmac.compare_digest(expected.secret.encode(), secret.encode()):
        return None
    if await tx.execute(sql.ACCEPT, org_id, user_id, row["row_version"]) != "UPDATE 1":
        return None
    actor = Actor(user_id, may_change_roles=False, pepper=pepper)
    token = (await make_tokens(tx, org_id, {row["code"]: user_id}, actor))[row["code"]]
    versions = await raise_versions(tx, [(org_id, None)])
    event = NewEvent(
        org_id=org_id,
        event_type="member_added",
        actor_type="user",
        actor_id=str(user_id),
        on_behalf_of=user_id,
        subject_type="user",
        subject_id=user_id,
        reason="invitation accepted",
        before={"status": "invited"},
        after={"name": row["code"], "status": "active"},
    )
    await write_events(tx, [event], versions, now)
    return token


async def record_session(
    tx: Tx,
    org_id: UUID,
    user_id: UUID,
    event_type: Literal["key_created", "key_revoked"],
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any],
    now: datetime,
) -> None:
    """That a browser's session began or ended. Ids alone, never its secret."""
    event = NewEvent(
        org_id=org_id,
        event_type=event_type,
        actor_type="user",
        actor_id=str(user_id),
        on_behalf_of=user_id,
        subject_type="session",
        subject_id=UUID(str(after["key"])),
        reason="session",
        before=before,
        after=after,
    )
    await record(tx, event, now)


def _invitation(org_id: UUID, row: Any, pepper: str) -> Invitation:
    state = f"invitation|{org_id}|{row['user_id']}|{row['row_version']}".encode()
    digest = hmac.new(pepper.encode(), state, hashlib.sha256).digest()
    secret = PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return Invitation(row["code"], row["user_id"], row["role"], secret)
