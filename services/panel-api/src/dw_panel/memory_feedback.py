"""What feedback about a memory does: confirm, reject, edit, delete, each by who may and else as a proposal (C59)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dw_contracts.http.learning import Acted, ChangeMemory
from dw_learning import memory_life as life
from dw_learning.authority import Denied
from dw_learning.authority_acts import may_change_memory
from dw_learning.item_edit import assess
from dw_learning.undo import UNDO_WINDOW
from dw_panel.item_checks import check_text
from dw_panel.people import Signed
from dw_panel.proposals import archive_proposal, edit_proposal, review_proposal
from dw_store import memory_acts as store
from dw_store.database import Tx
from dw_store.item_acts import NewItem, propose_item
from dw_store.memory_acts import About, Done
from dw_store.memory_rows import Actor, Known


def _authority(signed: Signed, known: Known) -> bool:
    agent = known.row["role_agent_id"]
    return may_change_memory(signed.person, agent, is_sensitive=known.state.is_sensitive) == "allowed"


async def confirm(tx: Tx, signed: Signed, known: Known, actor: Actor) -> Acted | Denied:
    """Anybody's yes: confidence alone (R120, C59)."""
    if known.state.is_sensitive and not signed.person.is_admin:
        return "admins_only"
    own = await store.own_effect_of(tx, signed.org_id, known.memory_id, actor.user_id)
    state = life.confirmed(known.state, actor.at, own)
    await store.write_feedback(tx, signed.org_id, known, "confirm", state.confidence, actor)
    event = About(
        "memory_confirmed",
        known.memory_id,
        "feedback",
        {"confidence": known.state.confidence},
        {"confidence": state.confidence},
    )
    return acted(await store.change_memory(tx, signed.org_id, known, state, "confirm", event, actor), actor)


async def reject(tx: Tx, signed: Signed, known: Known, actor: Actor) -> Acted | Denied:
    """Anybody's no; with authority, or by two people, the memory goes (C12, C59)."""
    if known.state.is_sensitive and not signed.person.is_admin:
        return "admins_only"
    authority, org_id = _authority(signed, known), signed.org_id
    state = life.rejected(
        known.state, actor.at, await store.own_effect_of(tx, org_id, known.memory_id, actor.user_id)
    )
    await store.write_feedback(tx, org_id, known, "reject", state.confidence, actor)
    rejecters = await store.rejecters_of(tx, org_id, known.memory_id)
    fate = life.fate_of_rejected(state, authority=authority, rejecters=rejecters)
    before, after = {"confidence": known.state.confidence}, {"confidence": state.confidence}
    if fate == "delete":
        state = life.ended(state, "delete", str(actor.user_id), "rejected", actor.at)
        event = About("memory_deleted", known.memory_id, "rejected", before, after)
        done = await store.change_memory(
            tx, org_id, known, state, "delete", event, actor, tombstone="rejected" if authority else None
        )
        return acted(done, actor)
    event = About("memory_feedback_rejected", known.memory_id, "feedback", before, after)
    done = await store.change_memory(tx, org_id, known, state, "reject", event, actor)
    if fate == "review" and known.row["role_agent_id"] is not None:
        item = replace(review_proposal(known), base_version=known.row_version + 1)
        item_id, version = await propose_item(tx, org_id, item, actor)
        return Acted(item_id=item_id, memory_id=known.memory_id, version=version)
    return acted(done, actor)


async def edit(tx: Tx, signed: Signed, known: Known, text: str, actor: Actor) -> Acted | Denied:
    """With authority the text itself, else an update proposal (C11, C59)."""
    check_text(text, is_memory=True)
    found, agent = assess(text), known.row["role_agent_id"]
    allowed = may_change_memory(signed.person, agent, is_sensitive=known.state.is_sensitive, risk=found.risk)
    if known.state.is_sensitive and allowed == "admins_only":
        return allowed
    state = life.edited(known.state, text.strip(), found.risk, actor.at, sensitive=found.is_sensitive)
    if allowed == "allowed":
        org_id = signed.org_id
        await store.write_feedback(tx, org_id, known, "edit", state.confidence, actor, state.content)
        before = {"content": known.state.content, "confidence": known.state.confidence}
        after = {"content": state.content, "confidence": state.confidence}
        event = About("memory_edited", known.memory_id, "feedback", before, after)
        return acted(await store.change_memory(tx, org_id, known, state, "edit", event, actor), actor)
    if agent is None:
        return "admins_only"
    return await proposed(tx, signed, edit_proposal(known, text.strip(), state), known, actor)


async def delete(tx: Tx, signed: Signed, known: Known, body: ChangeMemory, actor: Actor) -> Acted | Denied:
    """With authority out of every pack, else an archive proposal (C59)."""
    agent, org_id = known.row["role_agent_id"], signed.org_id
    allowed = may_change_memory(signed.person, agent, is_sensitive=known.state.is_sensitive)
    if allowed == "allowed":
        reason = body.reason or "deleted by a person"
        state = life.ended(known.state, "delete", str(actor.user_id), reason, actor.at)
        await store.write_feedback(tx, org_id, known, "delete", state.confidence, actor)
        before = {"content": known.state.content, "status": known.state.status}
        event = About("memory_deleted", known.memory_id, reason, before, {"status": state.status})
        stone: Literal["deleted"] | None = "deleted" if body.never_again else None
        done = await store.change_memory(tx, org_id, known, state, "delete", event, actor, tombstone=stone)
        return acted(done, actor)
    if agent is None or known.state.is_sensitive:
        return "admins_only"
    life.stepped(known.state, "delete")
    return await proposed(tx, signed, archive_proposal(known), known, actor)


async def proposed(tx: Tx, signed: Signed, item: NewItem, known: Known, actor: Actor) -> Acted:
    """It waits in the inbox."""
    item_id, version = await propose_item(tx, signed.org_id, item, actor)
    return Acted(outcome="proposed", item_id=item_id, memory_id=known.memory_id, version=version)


def acted(done: Done, actor: Actor) -> Acted:
    """What was done, and until when it can be taken back (C63)."""
    return Acted(
        act_id=done.act_id,
        undo_until=actor.at + UNDO_WINDOW,
        memory_id=done.memory_ids[0] if done.memory_ids else None,
        memory_ids=done.memory_ids,
        version=done.version,
    )
