"""Use case: what people do with an item beside deciding it (R141 to R145, D30, C59, C61, C95)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.learning import Acted, AssignItem, ConvertItem, EditItem, MarkItem
from dw_contracts.http.problem import FieldError
from dw_learning.authority import SKILL_KINDS, Denied, Person
from dw_learning.authority_acts import ItemAct, may_act_on_item, may_review
from dw_learning.item_edit import converted_item, text_of
from dw_panel.inbox import views
from dw_panel.item_checks import (
    authority_facts,
    check_claim,
    check_no_batch,
    check_seen,
    check_text,
    edit_locked,
    same_signal,
)
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_ITEM, conflict, denied, unfit
from dw_panel.views import facts_of
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import inbox_reads
from dw_store.database import Database, Tx
from dw_store.decide_item import Stale, lock_agent_of, record_denied
from dw_store.item_acts import (
    Claimed,
    NewText,
    SameSignal,
    assign_item,
    claim_item,
    confirm_item,
    convert_item,
    mark_item,
    release_item,
)
from dw_store.memory_rows import Actor
from dw_store.versions import pack_version

Do = Callable[[Tx, Any, Actor], Awaitable[UUID | None]]
CONVERTS: Final = {"memory_proposal": "skill_proposal", "skill_proposal": "memory_proposal"}


class ItemActs:
    """Each act is one transaction under the role-agent's lock; a refused attempt is on record (R149)."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def edit(self, signed: Signed, item_id: UUID, body: EditItem) -> Acted:
        """R141: another text; the original stays on record."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            await edit_locked(tx, signed, row, body.row_version, body.text, actor)
            return None

        return await self._run(signed, item_id, "edit", do)

    async def assign(self, signed: Signed, item_id: UUID, body: AssignItem) -> Acted:
        """R142: to somebody who may decide it."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            check_seen(row, None)
            if body.to is not None:
                await _check_reviewer(tx, signed, row, body.to)
            await assign_item(tx, signed.org_id, row, body.to, actor)
            return None

        return await self._run(signed, item_id, "reassign", do)

    async def claim(self, signed: Signed, item_id: UUID) -> Acted:
        """D30: for a quarter of an hour; 409 while somebody else has it."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            check_seen(row, None)
            await claim_item(tx, signed.org_id, row, actor)
            return None

        return await self._run(signed, item_id, "claim", do)

    async def release(self, signed: Signed, item_id: UUID) -> Acted:
        """By who claimed it, or by an admin."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            check_seen(row, None)
            await release_item(tx, signed.org_id, row, actor, any_claim=signed.person.is_admin)
            return None

        return await self._run(signed, item_id, "release", do)

    async def mark(self, signed: Signed, item_id: UUID, body: MarkItem) -> Acted:
        """R143: from then on admins decide; they alone take the mark off."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            check_seen(row, body.row_version)
            await mark_item(tx, signed.org_id, row, sensitive=body.is_sensitive, actor=actor)
            return None

        act: ItemAct = "mark_sensitive" if body.is_sensitive else "unmark_sensitive"
        return await self._run(signed, item_id, act, do)

    async def convert(self, signed: Signed, item_id: UUID, body: ConvertItem) -> Acted:
        """R144, R145: the answer's item is the new one."""

        async def do(tx: Tx, row: Any, actor: Actor) -> UUID | None:
            check_seen(row, body.row_version)
            check_claim(row, signed.person, actor.at)
            return await _convert(tx, signed, row, body.text, actor)

        return await self._run(signed, item_id, "convert", do)

    async def confirm(self, signed: Signed, item_id: UUID) -> Acted:
        """C59: any member says so too. It counts as evidence, whoever gives it, and is never approval."""
        async with self._database().transaction([signed.org_id]) as tx:
            row = await _locked(tx, signed, item_id)
            check_seen(row, None)
            facts = facts_of(row, frozenset())
            if may_act_on_item(signed.person, facts, "reassign") != "allowed" and (
                row["is_sensitive"] or row["risk"] == "sensitive"
            ):
                raise ProblemError(NO_SUCH_ITEM)
            await confirm_item(tx, signed.org_id, row, self._actor(signed))
            return Acted(item_id=item_id, version=await pack_version(tx, signed.org_id, row["role_agent_id"]))

    async def _run(self, signed: Signed, item_id: UUID, act: ItemAct, do: Do) -> Acted:
        async with self._database().transaction([signed.org_id]) as tx:
            done = await self._act(tx, signed, item_id, act, do)
        if isinstance(done, Acted):
            return done
        raise denied(done)

    async def _act(self, tx: Tx, signed: Signed, item_id: UUID, act: ItemAct, do: Do) -> Acted | Denied:
        row, actor = await _locked(tx, signed, item_id), self._actor(signed)
        facts, _ = await authority_facts(tx, signed, row)
        allowed = may_act_on_item(signed.person, facts, act)
        if allowed != "allowed" and allowed != "self_approved":
            await record_denied(tx, signed.org_id, row, signed.person.user_id, allowed, actor.at)
            return allowed
        try:
            made = await do(tx, row, actor)
        except Claimed:
            raise conflict("somebody else has this item in work at the moment") from None
        except Stale as stale:
            raise conflict(str(stale)) from None
        except SameSignal:
            same_signal()
        shown = await views(tx, signed, [await inbox_reads.one_item(tx, signed.org_id, made or item_id)])
        version = await pack_version(tx, signed.org_id, row["role_agent_id"])
        return Acted(item=shown[0], item_id=made or item_id, version=version)

    def _actor(self, signed: Signed) -> Actor:
        return Actor(signed.person.user_id, self._clock(), current_trace_id())


async def _locked(tx: Tx, signed: Signed, item_id: UUID) -> Any:
    agent = await lock_agent_of(tx, signed.org_id, item_id)
    row = await inbox_reads.one_item(tx, signed.org_id, item_id) if agent is not None else None
    if row is None:
        raise ProblemError(NO_SUCH_ITEM)
    return row


async def _check_reviewer(tx: Tx, signed: Signed, row: Any, to: UUID) -> None:
    facts = facts_of(row, frozenset())
    for found in await inbox_reads.deciders(tx, signed.org_id, [row["role_agent_id"]]):
        person = Person(found["user_id"], found["role"], frozenset(found["manages"]))
        if person.user_id == to and may_review(person, facts):
            return
    wrong = FieldError(at="to", problem="is nobody who may decide this item")
    raise unfit("the reviewer could not decide this item", (wrong,))


async def _convert(tx: Tx, signed: Signed, row: Any, text: str, actor: Actor) -> UUID:
    to = CONVERTS.get(row["kind"])
    if to is None:
        raise unfit("only memory and skill proposals are converted")
    check_no_batch(row)
    words = text or text_of(row["proposed_payload"])
    check_text(words, is_memory=to not in SKILL_KINDS)
    made = converted_item(row["proposed_payload"], row["risk"], row["is_sensitive"], words, to)
    new = NewText(made.payload, made.risk, made.is_sensitive, made.dedupe_key)
    return await convert_item(tx, signed.org_id, row, to, new, actor, is_own_text=bool(text))
