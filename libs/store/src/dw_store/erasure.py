"""Erasing a person and purging a memory (C8, C72): the only writes that take away what was said.

The texts go by functions of role dw_eraser, in the caller's transaction. The audit log's rows and their chain stay:
`dw audit verify` passes afterwards and counts the erased texts. Records on Kafka end with their topics: 7 days, dead
letters 30.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import orjson

from dw_learning.erasure import pattern_of, terms_of, tokens_of
from dw_store.audit import NewEvent, by_user, write_events
from dw_store.database import Tx
from dw_store.orgs import sql as orgs
from dw_store.orgs.conflicts import LastOwner
from dw_store.versions import pack_version, raise_versions

Account = tuple[str, str, str]  # platform, workspace_ref, external_user_id
ERASED_CODE: Final = "erased-"
ERASE_SECONDS: Final = (
    900.0  # every text of an org is looked at: 200,000 messages took 10 s on two busy cores
)

MEMBER = """
SELECT m.user_id, m.code, m.role, m.status, u.name, u.email
FROM dw_org_members AS m JOIN dw_users AS u ON u.id = m.user_id
WHERE m.org_id = $1 AND m.user_id = $2
"""
OTHER_OWNERS = """
SELECT count(*) FROM dw_org_members AS m
WHERE m.org_id = $1 AND m.user_id <> $2 AND m.role = 'owner' AND m.status = 'active'
"""
ACCOUNTS = """
SELECT i.platform, i.workspace_ref, i.external_user_id
FROM dw_external_identities AS i
WHERE i.org_id = $1 AND i.user_id = $2 AND i.external_user_id NOT LIKE 'erased:%'
"""
DISPLAY_NAMES = """
SELECT DISTINCT c.display_name
FROM dw_chat_events AS c
JOIN unnest($2::text[], $3::text[], $4::text[]) AS a (platform, workspace, account)
  ON c.platform = a.platform AND c.workspace_ref = a.workspace AND c.external_user_id = a.account
WHERE c.org_id = $1 AND c.display_name IS NOT NULL
LIMIT 50
"""
ERASE = "SELECT dw_erase_person($1, $2, $3, $4, $5, $6, $7, $8)"
FORGET_MEMBER = """
UPDATE dw_org_members SET status = 'removed', code = $3, updated_at = $4, row_version = row_version + 1
WHERE org_id = $1 AND user_id = $2 AND code <> $3
"""
MEMORY = """
SELECT m.id, m.role_agent_id, m.status, m.row_version, m.delete_reason, m.content
FROM dw_agent_memories AS m
WHERE m.org_id = $1 AND m.id = $2
"""
LOCK_AGENT_OF = """
SELECT a.id FROM dw_role_agents AS a
JOIN dw_agent_memories AS m ON m.org_id = a.org_id AND m.role_agent_id = a.id
WHERE a.org_id = $1 AND m.id = $2
FOR NO KEY UPDATE OF a
"""
PURGE = "SELECT dw_purge_memory($1, $2)"


class NoSuchPerson(Exception):
    """No member of the org has this id."""


class NoSuchMemory(Exception):
    """The org has no such memory."""


class NotPurgeable(Exception):
    """It is active, or it changed since it was seen."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who is to be erased. `names` are further names that others call them by."""

    user_id: UUID | None
    accounts: Sequence[Account]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Eraser:
    """The owner who does it."""

    user_id: UUID
    trace_id: str


@dataclass(frozen=True, slots=True)
class Erased:
    """What was changed, by kind, and the version of the org afterwards."""

    counts: dict[str, int]
    changed: bool
    version: int


async def erase_person(tx: Tx, org_id: UUID, person: Person, by: Eraser, now: datetime) -> Erased:
    """Everything the person said is emptied; what others said loses their names and accounts. The same again changes
    nothing and writes no event. Raises NoSuchPerson, LastOwner."""
    await tx.execute(orgs.LOCK_ORG, org_id)
    await tx.execute(orgs.LOCK_AGENTS, org_id)
    member = await _member(tx, org_id, person.user_id)
    accounts = await _accounts(tx, org_id, person)
    terms = await _terms(tx, org_id, person, member, accounts)
    names = (_code(member), pattern_of(terms), tokens_of(terms))
    done = await tx.fetchval(ERASE, person.user_id, *_columns(accounts), *names, now, seconds=ERASE_SECONDS)
    result: dict[str, Any] = orjson.loads(done) if isinstance(done, str) else done
    counts: dict[str, int] = result["counts"]
    left = member is not None and await _forget_member(tx, org_id, member, now)
    if not left and not any(counts.values()):
        version: int = await tx.fetchval(orgs.ORG_VERSION, org_id)
        return Erased(counts, changed=False, version=version)
    versions = await raise_versions(tx, [(org_id, None)])
    events = [_memory_event(org_id, memory, by) for memory in result["active"]]
    if member is not None and member["status"] != "removed":
        was = {"status": member["status"]}
        gone = {"status": "removed"}
        events.append(_event(org_id, by, "member_removed", "user", person.user_id, gone, "erased", None, was))
    events.append(_event(org_id, by, "person_erased", "user", person.user_id, {"counts": counts}))
    await write_events(tx, events, versions, now)
    return Erased(counts, changed=True, version=versions[(org_id, None)])


async def _member(tx: Tx, org_id: UUID, user_id: UUID | None) -> Any | None:
    if user_id is None:
        return None
    member = await tx.fetchrow(MEMBER, org_id, user_id)
    if member is None:
        raise NoSuchPerson(str(user_id))
    is_owner = member["role"] == "owner" and member["status"] == "active"
    if is_owner and await tx.fetchval(OTHER_OWNERS, org_id, user_id) == 0:
        raise LastOwner(str(org_id))
    return member


async def _accounts(tx: Tx, org_id: UUID, person: Person) -> list[Account]:
    mapped = await tx.fetch(ACCOUNTS, org_id, person.user_id) if person.user_id is not None else []
    known = [(row["platform"], row["workspace_ref"], row["external_user_id"]) for row in mapped]
    return list(dict.fromkeys([*known, *person.accounts]))


async def _terms(
    tx: Tx, org_id: UUID, person: Person, member: Any | None, accounts: list[Account]
) -> tuple[str, ...]:
    shown = await tx.fetch(DISPLAY_NAMES, org_id, *_columns(accounts)) if accounts else []
    names = [*person.names, *(row["display_name"] for row in shown)]
    if member is not None and not _is_forgotten(member):
        names += [text for text in (member["name"], member["email"]) if text]
    return terms_of(names, (account for _, _, account in accounts))


def _columns(accounts: list[Account]) -> tuple[list[str], list[str], list[str]]:
    return [a[0] for a in accounts], [a[1] for a in accounts], [a[2] for a in accounts]


def _is_forgotten(member: Any) -> bool:
    return str(member["code"]).startswith(ERASED_CODE)


def _code(member: Any | None) -> str:
    return "" if member is None or _is_forgotten(member) else str(member["code"])


async def _forget_member(tx: Tx, org_id: UUID, member: Any, now: datetime) -> bool:
    """C73: the membership ends with all that hangs on it; the row stays, for others refer to it. Whether it was there."""
    users = [member["user_id"]]
    await tx.execute(orgs.REMOVE_TOKENS, org_id, users, now)
    await tx.execute(orgs.REMOVE_MANAGER_ROWS, org_id, users)
    await tx.execute(orgs.REMOVE_CHANNEL_MANAGER_ROWS, org_id, users)
    await tx.execute(orgs.REMOVE_ASSIGNMENTS, org_id, users, now)
    code = f"{ERASED_CODE}{member['user_id'].hex[:12]}"
    return await tx.execute(FORGET_MEMBER, org_id, member["user_id"], code, now) == "UPDATE 1"


async def purge_memory(
    tx: Tx,
    org_id: UUID,
    memory_id: UUID,
    row_version: int,
    reason: Literal["legal", "privacy", "secret", "other"],
    by: Eraser,
    now: datetime,
) -> Erased:
    """A memory that is no longer active goes for good, with its history, its item and its decision's inputs; a stub
    without text stays. A second time changes nothing. Raises NoSuchMemory, NotPurgeable."""
    await tx.execute(LOCK_AGENT_OF, org_id, memory_id)
    memory = await tx.fetchrow(MEMORY, org_id, memory_id)
    if memory is None:
        raise NoSuchMemory(str(memory_id))
    agent = memory["role_agent_id"]
    if memory["delete_reason"] in ("purged", "erased"):
        return Erased({}, changed=False, version=await _version(tx, org_id, agent))
    if memory["status"] == "active":
        raise NotPurgeable("the memory is active: delete or archive it first")
    if memory["row_version"] != row_version:
        raise NotPurgeable("the memory changed since you saw it: look at it again")
    await tx.execute(PURGE, memory_id, now)
    versions = await raise_versions(tx, [(org_id, agent)])
    event = _event(
        org_id, by, "memory_purged", "memory", memory_id, {"status": "deleted", "text": "purged"}, reason, agent,
        {"status": memory["status"]},
    )  # fmt: skip
    await write_events(tx, [event], versions, now)
    return Erased({"memories": 1}, changed=True, version=await _version(tx, org_id, agent))


async def _version(tx: Tx, org_id: UUID, agent: UUID | None) -> int:
    if agent is not None:
        return await pack_version(tx, org_id, agent)
    version: int = await tx.fetchval(orgs.ORG_VERSION, org_id)
    return version


def _memory_event(org_id: UUID, memory: dict[str, Any], by: Eraser) -> NewEvent:
    agent = UUID(memory["role_agent_id"]) if memory["role_agent_id"] else None
    return _event(
        org_id, by, "memory_deleted", "memory", UUID(memory["id"]), {"status": "deleted"}, "erased", agent,
        {"status": "active"},
    )  # fmt: skip


def _event(
    org_id: UUID,
    by: Eraser,
    event_type: str,
    subject_type: str,
    subject_id: UUID | None,
    after: dict[str, Any],
    reason: str = "erased",
    agent: UUID | None = None,
    before: dict[str, Any] | None = None,
) -> NewEvent:
    return by_user(
        by,
        org_id=org_id,
        role_agent_id=agent,
        event_type=event_type,
        subject_type=subject_type,
        subject_id=subject_id,
        reason=reason,
        before=before,
        after=after,
    )
