"""Use case: take an act back within moments (C63), and override a decision (R135)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.learning import Acted, OverrideItem
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import Denied, may_decide
from dw_learning.authority_acts import may_act_on_item
from dw_learning.undo import undo_refused
from dw_panel.decide import checked
from dw_panel.inbox import views
from dw_panel.item_checks import authority_facts, check_note, same_signal
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_ITEM, conflict, denied, forbidden, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import inbox_reads
from dw_store.acts import act_of_item, find_act, inverse, owner_of_act
from dw_store.database import Database, Tx
from dw_store.decide_item import NotYet, Stale, Verdict, apply_verdict, lock_agent_of, record_denied
from dw_store.item_acts import SameSignal, reopen_item, write_item_event
from dw_store.memory_rows import Actor, Changed, lock_owner
from dw_store.take_back import undo_act
from dw_store.versions import pack_version

NO_SUCH_ACT: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such act, or it is not yours")
_WHY: Final = {
    "too_late": "the time for taking this back is over: change it by a new act",
    "undone": "it was taken back already",
}


class Undo:
    """The inverse of an act, whole or not at all."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def undo(self, signed: Signed, act_id: UUID) -> Acted:
        """By who acted, once, within the window; 409 if something changed since."""
        actor = Actor(signed.person.user_id, self._clock(), current_trace_id())
        async with self._database().transaction([signed.org_id]) as tx:
            owner = await owner_of_act(tx, signed.org_id, act_id)
            if owner is None:
                raise ProblemError(NO_SUCH_ACT)
            await lock_owner(tx, signed.org_id, owner["role_agent_id"])
            act = await find_act(tx, signed.org_id, act_id)
            _check(act, actor)
            try:
                done = await undo_act(tx, signed.org_id, act, actor)
            except Changed as changed:
                raise conflict(f"{changed}: it cannot be taken back any more") from None
            item = done.item_id and await inbox_reads.one_item(tx, signed.org_id, done.item_id)
            shown = (await views(tx, signed, [item]))[0] if item else None
            return Acted(item=shown, item_id=done.item_id, memory_ids=done.memory_ids, version=done.version)

    async def override(self, signed: Signed, item_id: UUID, body: OverrideItem) -> Acted:
        """R135: a new item with the other decision; the old one stays as it was decided (R146)."""
        check_note(body.note)
        async with self._database().transaction([signed.org_id]) as tx:
            done = await self._override(tx, signed, item_id, body)
        if isinstance(done, Acted):
            return done
        raise denied(done)

    async def _override(self, tx: Tx, signed: Signed, item_id: UUID, body: OverrideItem) -> Acted | Denied:
        actor = Actor(signed.person.user_id, self._clock(), current_trace_id())
        code = await lock_agent_of(tx, signed.org_id, item_id)
        row = await inbox_reads.one_item(tx, signed.org_id, item_id) if code is not None else None
        if row is None or code is None:
            raise ProblemError(NO_SUCH_ITEM)
        facts, others = await authority_facts(tx, signed, row)
        allowed = may_act_on_item(signed.person, facts, "override")
        if allowed == "allowed":
            allowed = may_decide(signed.person, facts, other_deciders=others)
        if allowed != "allowed" and allowed != "self_approved":
            await record_denied(tx, signed.org_id, row, actor.user_id, allowed, actor.at)
            return allowed
        if row["status"] not in ("approved", "rejected") or row["status"] == body.to or row["undone_at"]:
            raise conflict(f"the item is {row['status']}: there is nothing to override")
        is_self = allowed == "self_approved"
        try:
            made, memory, version = await _overridden(tx, signed, row, code, body, actor, is_self=is_self)
        except (Stale, Changed) as stale:
            raise conflict(str(stale)) from None
        except SameSignal:
            same_signal()
        except NotYet:
            raise unfit("this kind of item cannot be approved yet") from None
        shown = await views(tx, signed, [await inbox_reads.one_item(tx, signed.org_id, made)])
        return Acted(item=shown[0], item_id=made, memory_id=memory, version=version)


async def _overridden(
    tx: Tx, signed: Signed, row: Any, code: str, body: OverrideItem, actor: Actor, *, is_self: bool
) -> tuple[UUID, UUID | None, int]:
    org_id = signed.org_id
    if body.to == "rejected" and (act_id := await act_of_item(tx, org_id, row["id"])) is not None:
        act: Any = await find_act(tx, org_id, act_id)
        await inverse(tx, org_id, act["changes"], actor, strict=False)
    made = await reopen_item(tx, org_id, row, actor, undo=False)
    copy: Any = await inbox_reads.one_item(tx, org_id, made)
    approves = body.to == "approved"
    verdict = Verdict(
        row_version=copy["row_version"],
        action="approve" if approves else "reject",
        note=body.note,
        user_id=actor.user_id,
        self_approved=is_self,
        trace_id=actor.trace_id,
        at=actor.at,
        scan_version=scan.SCAN_VERSION,
        skill=await checked(tx, signed, copy, code) if approves else None,
        kind="override",
    )
    applied = await apply_verdict(tx, org_id, copy, verdict)
    await write_item_event(
        tx, org_id, row, "override", actor, before={"status": row["status"]}, after={"item": str(made)}
    )
    return made, applied.memory_id, await pack_version(tx, org_id, row["role_agent_id"])


def _check(act: Any, actor: Actor) -> None:
    refused = undo_refused(
        actor=act["actor_user_id"],
        asker=actor.user_id,
        at=act["at"],
        undone_at=act["undone_at"],
        now=actor.at,
    )
    if refused == "not_yours":
        raise forbidden("an act is taken back by who did it; admins override")
    if refused is not None:
        raise conflict(_WHY[refused])
