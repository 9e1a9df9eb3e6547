"""What people do with items beside deciding them: each one statement, its audit event and the agent's version.

The caller holds the agent's lock and has asked `authority`. Texts are scanned before they come here.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from dw_learning.item_times import DUE, EXPIRY
from dw_store import item_acts_sql as sql
from dw_store.audit import by_user, record
from dw_store.database import Tx
from dw_store.decide_item import Item, Stale
from dw_store.memory_rows import Actor
from dw_store.versions import pack_version

CLAIM: Final = timedelta(minutes=15)


class Claimed(Exception):
    """Somebody else has the item in work."""


class SameSignal(Exception):
    """An equal item waits already."""


@dataclass(frozen=True, slots=True)
class NewText:
    """An edited item, classified anew."""

    payload: Mapping[str, Any]
    risk: str
    is_sensitive: bool
    dedupe_key: str


@dataclass(frozen=True, slots=True)
class NewItem:
    """A proposal of a person. `refs` name the person as its source."""

    role_agent_id: UUID
    kind: str
    action: str
    payload: Mapping[str, Any]
    risk: str
    is_sensitive: bool
    reason_code: str
    explanation: str
    dedupe_key: str
    target_memory_id: UUID | None = None
    base_version: int | None = None
    confidence: float = 0.9


async def edit_item(tx: Tx, org_id: UUID, item: Item, text: NewText, actor: Actor) -> None:
    """R141. The base is what is known now: an edit is also the rebase of what is out of date (C93)."""
    other = await waiting(tx, org_id, item["role_agent_id"], text.dedupe_key)
    if other is not None and other != item["id"]:
        raise SameSignal
    action, target, base = await _base(tx, org_id, item, text.payload)
    done = await tx.execute(
        sql.EDIT, org_id, item["id"], item["row_version"], dict(text.payload), text.risk, text.is_sensitive,
        text.dedupe_key, action, target, base, actor.user_id, actor.at + DUE[text.risk], actor.at,
    )  # fmt: skip
    _once(done)
    before = {"content": item["proposed_payload"].get("content"), "risk": item["risk"]}
    after = {"content": text.payload.get("content"), "risk": text.risk}
    await write_item_event(tx, org_id, item, "item_edited", actor, before=before, after=after)


async def mark_item(tx: Tx, org_id: UUID, item: Item, *, sensitive: bool, actor: Actor) -> None:
    """R143. Whoever had it loses it: another one decides now. A risk that was sensitive for the mark's sake is high
    without it."""
    risk = "high" if not sensitive and item["risk"] == "sensitive" else item["risk"]
    due = actor.at + DUE["sensitive" if sensitive else risk]
    args = (item["id"], item["row_version"], sensitive, risk, due, actor.at)
    _once(await tx.execute(sql.MARK, org_id, *args))
    event = "item_marked_sensitive" if sensitive else "item_unmarked_sensitive"
    before = {"risk": item["risk"], "is_sensitive": item["is_sensitive"]}
    after = {"risk": risk, "is_sensitive": sensitive}
    await write_item_event(tx, org_id, item, event, actor, before=before, after=after)


async def assign_item(tx: Tx, org_id: UUID, item: Item, to: UUID | None, actor: Actor) -> None:
    """R142, D30."""
    _once(await tx.execute(sql.ASSIGN, org_id, item["id"], to, actor.at))
    before, after = {"assigned_to": _text(item["assigned_to"])}, {"assigned_to": _text(to)}
    await write_item_event(tx, org_id, item, "item_reassigned", actor, before=before, after=after)


async def claim_item(tx: Tx, org_id: UUID, item: Item, actor: Actor) -> datetime:
    """D30: nobody else works on it for a quarter of an hour. Claiming again extends it. Raises Claimed."""
    until = actor.at + CLAIM
    if await tx.execute(sql.CLAIM, org_id, item["id"], actor.user_id, until, actor.at) != "UPDATE 1":
        raise Claimed
    after = _claim(actor.user_id, until)
    await write_item_event(tx, org_id, item, "item_claimed", actor, before=_claim_of(item), after=after)
    return until


async def release_item(tx: Tx, org_id: UUID, item: Item, actor: Actor, *, any_claim: bool) -> None:
    """By whoever claimed it, or by an admin. Raises Claimed."""
    if await tx.execute(sql.RELEASE, org_id, item["id"], actor.user_id, actor.at, any_claim) != "UPDATE 1":
        raise Claimed
    after = _claim(None, None)
    await write_item_event(tx, org_id, item, "item_released", actor, before=_claim_of(item), after=after)


async def convert_item(
    tx: Tx, org_id: UUID, item: Item, kind: str, text: NewText, actor: Actor, *, is_own_text: bool
) -> UUID:
    """R144, R145: the old item ends, the new one has its evidence and authors. `is_own_text`: the person changed it."""
    made = uuid.uuid4()
    args = (item["id"], item["row_version"], made, actor.user_id, actor.at)
    _once(await tx.execute(sql.CONVERTED, org_id, *args))
    if await waiting(tx, org_id, item["role_agent_id"], text.dedupe_key) is not None:
        raise SameSignal
    await tx.execute(
        sql.INSERT_CONVERTED, org_id, item["id"], made, kind, text.risk, text.is_sensitive, dict(text.payload),
        text.dedupe_key, actor.user_id if is_own_text else None, actor.at, actor.at + DUE[text.risk],
        actor.at + EXPIRY,
    )  # fmt: skip
    after = {"kind": kind, "item": str(made)}
    await write_item_event(
        tx, org_id, item, "item_converted", actor, before={"kind": item["kind"]}, after=after
    )
    return made


async def confirm_item(tx: Tx, org_id: UUID, item: Item, actor: Actor) -> None:
    """C59: evidence, never approval. A person says so once: again changes nothing."""
    said = {ref.get("user_id") for ref in item["source_refs"] if ref.get("type") == "confirmation"}
    if str(actor.user_id) in said:
        return
    _once(await tx.execute(sql.CONFIRM, org_id, item["id"], [_ref(actor, "confirmation")], actor.at))
    before, after = ({"evidence_count": item["evidence_count"] + more} for more in (0, 1))
    await write_item_event(tx, org_id, item, "item_confirmed", actor, before=before, after=after)


async def reopen_item(tx: Tx, org_id: UUID, item: Item, actor: Actor, *, undo: bool) -> UUID:
    """A pending copy of a decided item (R146). After an undo it rests on what is known again, and merges into an equal
    one that waits (C63); for an override it keeps its base (C93), and an equal one is SameSignal."""
    other = await waiting(tx, org_id, item["role_agent_id"], item["dedupe_key"])
    if other is not None and not undo:
        raise SameSignal
    if other is not None:
        await tx.execute(sql.MERGE_COPY, org_id, item["id"], other, actor.at)
        return other
    made = uuid.uuid4()
    due = actor.at + DUE[item["risk"]]
    await tx.execute(sql.INSERT_COPY, org_id, item["id"], made, actor.at, due, actor.at + EXPIRY, undo)
    return made


async def mark_undone(tx: Tx, org_id: UUID, item_id: UUID, at: datetime) -> None:
    """The decision stands on record and holds no more; nor does it hide repeats."""
    await tx.execute(sql.UNDONE, org_id, item_id, at)


async def waiting(tx: Tx, org_id: UUID, role_agent_id: UUID, dedupe_key: str | None) -> UUID | None:
    """The pending item of this signal."""
    found: UUID | None = await tx.fetchval(sql.WAITING, org_id, role_agent_id, dedupe_key)
    return found


async def propose_item(tx: Tx, org_id: UUID, new: NewItem, actor: Actor) -> tuple[UUID, int]:
    """A person's proposal, merged with an equal one that waits. Gives the item and the pack version."""
    ref = [_ref(actor, new.reason_code, str(new.payload.get("content", ""))[:280])]
    other = await waiting(tx, org_id, new.role_agent_id, new.dedupe_key)
    made = other or uuid.uuid4()
    counted: int | None = None
    if other is not None:
        counted = await tx.fetchval(sql.ADD_EVIDENCE, org_id, other, ref, actor.at)
    else:
        await tx.execute(
            sql.INSERT_ITEM, made, org_id, new.role_agent_id, new.kind, new.action, new.risk, new.is_sensitive,
            new.reason_code, new.explanation, dict(new.payload), ref, new.dedupe_key, new.target_memory_id,
            new.base_version, str(actor.user_id), actor.user_id, new.confidence, actor.at, actor.at + DUE[new.risk],
            actor.at + EXPIRY,
        )  # fmt: skip
    about = {"kind": new.kind, "action": new.action, "risk": new.risk, "content": new.payload.get("content")}
    before = None if counted is None else {"evidence_count": counted - 1}
    after = about if counted is None else {**about, "evidence_count": counted}
    row = {"role_agent_id": new.role_agent_id, "id": made, "reason_code": new.reason_code}
    event = "learning_proposed" if other is None else "item_confirmed"
    await write_item_event(tx, org_id, row, event, actor, before=before, after=after)
    return made, await pack_version(tx, org_id, new.role_agent_id)


async def write_item_event(
    tx: Tx,
    org_id: UUID,
    item: Mapping[str, Any],
    event_type: str,
    actor: Actor,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """One event about an item, and the agent's version with it."""
    event = by_user(
        actor,
        org_id=org_id,
        role_agent_id=item["role_agent_id"],
        event_type=event_type,
        subject_type="item",
        subject_id=item["id"],
        reason=item["reason_code"],
        before=before,
        after=after,
    )
    await record(tx, event, actor.at)


async def _base(
    tx: Tx, org_id: UUID, item: Item, payload: Mapping[str, Any]
) -> tuple[str, UUID | None, int | None]:
    """Action, target and version as they are now."""
    if item["target_skill_id"] is not None:
        version = await tx.fetchval(sql.SKILL_BASE, org_id, item["target_skill_id"])
        return (
            item["action"],
            item["target_memory_id"],
            version if version is not None else item["base_version"],
        )
    if item["kind"] != "memory_proposal" or item["action"] not in ("create", "update"):
        return item["action"], item["target_memory_id"], item["base_version"]
    target = item["target_memory_id"]
    found = await tx.fetchrow(sql.TARGET, org_id, target) if target is not None else None
    if found is None:
        subject = UUID(payload["subject_identity"]) if payload.get("subject_identity") else None
        place = (item["role_agent_id"], payload["layer"], payload["key"], subject)
        found = await tx.fetchrow(sql.HOLDER, org_id, *place)
    return ("create", None, None) if found is None else ("update", found["id"], found["row_version"])


def _ref(actor: Actor, kind: str, excerpt: str = "") -> dict[str, Any]:
    return {
        "type": kind,
        "user_id": str(actor.user_id),
        "at": actor.at.isoformat(),
        "excerpt": excerpt,
        "verified": True,
    }


def _claim(by: UUID | None, until: datetime | None) -> dict[str, Any]:
    return {"claimed_by": _text(by), "until": until.isoformat() if until is not None else None}


def _claim_of(item: Item) -> dict[str, Any]:
    return _claim(item["claimed_by"], item["claimed_until"])


def _once(tag: str) -> None:
    if tag != "UPDATE 1":
        raise Stale("it was decided or changed in the meantime")


def _text(value: UUID | None) -> str | None:
    return str(value) if value is not None else None
