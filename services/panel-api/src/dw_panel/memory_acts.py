"""Use case: confirm, reject, edit, delete, supersede, restore, promote memories; lift tombstones (C59, C62, C95, C101).

Feedback is anybody's of the org and changes confidence; with authority it changes the memory. What a person may not
do becomes a proposal where C59 says so, and a refusal on record elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from dw_contracts.http.learning import Acted, AddMemories, ChangeMemory, MemoryFeedback, SupersedeMemory
from dw_contracts.http.problem import FieldError
from dw_learning import memory_life as life
from dw_learning.authority import Denied
from dw_learning.authority_acts import may_administer, may_change_memory, may_read_memory
from dw_learning.item_edit import assess
from dw_learning.memory_life import IllegalStep
from dw_learning.normal import content_hash
from dw_panel import memory_feedback as feedback
from dw_panel.item_checks import check_active_again, check_note, check_text
from dw_panel.manual_memory import manual_memory
from dw_panel.people import Signed
from dw_panel.proposals import promotion_proposal
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_MEMORY, NO_SUCH_TOMBSTONE, conflict, denied, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import memory_acts as store
from dw_store.acts import Changes
from dw_store.database import Database, Tx
from dw_store.memory_rows import Actor, Changed, Known, lock_memory, lock_owner
from dw_store.tombstones import one_tombstone
from dw_store.versions import pack_version

Do = Callable[[Tx, Known, Actor], Awaitable[Acted | Denied]]


class MemoryActs:
    """Each act is one transaction under the owner's lock."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def feedback(self, signed: Signed, memory_id: UUID, body: MemoryFeedback) -> Acted:
        """R119 to R122, C59."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            match body.action:
                case "confirm":
                    return await feedback.confirm(tx, signed, known, actor)
                case "reject":
                    return await feedback.reject(tx, signed, known, actor)
                case "edit":
                    return await feedback.edit(tx, signed, known, body.text, actor)
                case "delete":
                    return await feedback.delete(tx, signed, known, ChangeMemory(), actor)

        return await self._run(signed, memory_id, body.row_version, do)

    async def delete(self, signed: Signed, memory_id: UUID, body: ChangeMemory) -> Acted:
        """Out of every pack from now on; by a member it becomes a proposal."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            return await feedback.delete(tx, signed, known, body, actor)

        return await self._run(signed, memory_id, body.row_version, do, body.reason)

    async def supersede(self, signed: Signed, memory_id: UUID, body: SupersedeMemory) -> Acted:
        """Another text in its place, the old one in its history."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            check_text(body.text, is_memory=True)
            found = assess(body.text)
            agent, row = known.row["role_agent_id"], known.row
            allowed = may_change_memory(
                signed.person, agent, is_sensitive=known.state.is_sensitive, risk=found.risk
            )
            if allowed != "allowed" and allowed != "self_approved":
                return allowed
            life.stepped(known.state, "supersede")
            if content_hash(body.text) == known.state.content_hash:
                return Acted(outcome="known", memory_id=known.memory_id, version=0)
            new = manual_memory(agent, body.text.strip(), actor, row["layer"], row["memory_type"], found)
            new = replace(
                new, key=row["key"], category=row["category"], subject_identity=row["subject_identity"]
            )
            done = await store.supersede_memory(tx, signed.org_id, known, new, "manual", actor)
            return feedback.acted(done, actor)

        return await self._run(signed, memory_id, body.row_version, do)

    async def restore(self, signed: Signed, memory_id: UUID, body: ChangeMemory) -> Acted:
        """R136, R301, C101."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            allowed = may_administer(signed.person)
            if allowed != "allowed" and allowed != "self_approved":
                return allowed
            life.restored(known.state)
            check_active_again(known.state.content)
            return feedback.acted(
                await store.restore_memory(tx, signed.org_id, known, body.reason, actor), actor
            )

        return await self._run(signed, memory_id, body.row_version, do, body.reason)

    async def promote(self, signed: Signed, memory_id: UUID, body: ChangeMemory) -> Acted:
        """From one role-agent to the whole org: an admin's act (R89, C34, C95)."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            allowed = may_administer(signed.person)
            if allowed != "allowed" and allowed != "self_approved":
                return allowed
            _check_promotable(known)
            check_active_again(known.state.content)
            changes = Changes(tx, signed.org_id, actor)
            made, events = await store.promote_memory(changes, known)
            return feedback.acted(await store.finish_promotion(changes, known, made, events), actor)

        return await self._run(signed, memory_id, body.row_version, do, body.reason)

    async def propose_promotion(self, signed: Signed, memory_id: UUID, body: ChangeMemory) -> Acted:
        """C95: what a manager may not do himself he may propose."""

        async def do(tx: Tx, known: Known, actor: Actor) -> Acted | Denied:
            allowed = may_change_memory(
                signed.person, known.row["role_agent_id"], is_sensitive=known.state.is_sensitive
            )
            if allowed != "allowed" and allowed != "self_approved":
                return allowed
            _check_promotable(known)
            return await feedback.proposed(tx, signed, promotion_proposal(known), known, actor)

        return await self._run(signed, memory_id, body.row_version, do, body.reason)

    async def add(self, signed: Signed, body: AddMemories) -> Acted:
        """What an admin writes: source admin_manual, active at once (C41)."""
        if may_administer(signed.person) != "allowed":
            raise denied("admins_only")
        actor = self._actor(signed)
        new = []
        for at, text in enumerate(body.texts):
            try:
                check_text(text, is_memory=True)
            except ProblemError as refused:
                place = FieldError(at=f"texts.{at}", problem=refused.problem.detail)
                raise unfit(refused.problem.detail, (place,)) from None
            new.append(
                manual_memory(body.agent, text.strip(), actor, body.layer, body.memory_type, assess(text))
            )
        async with self._database().transaction([signed.org_id]) as tx:
            if await lock_owner(tx, signed.org_id, body.agent) is None:
                raise ProblemError(NO_SUCH_AGENT)
            done, known = await store.add_memories(tx, signed.org_id, body.agent, new, actor)
            if done is None:
                version = await pack_version(tx, signed.org_id, body.agent) if body.agent is not None else 0
                return Acted(outcome="known", memory_id=known[0], memory_ids=known, version=version)
            return feedback.acted(done, actor)

    async def lift(self, signed: Signed, tombstone_id: UUID) -> Acted:
        """D18: by an admin."""
        if may_administer(signed.person) != "allowed":
            raise denied("admins_only")
        async with self._database().transaction([signed.org_id]) as tx:
            found = await one_tombstone(tx, signed.org_id, tombstone_id)
            if found is None:
                raise ProblemError(NO_SUCH_TOMBSTONE)
            agent, actor = found["role_agent_id"], self._actor(signed)
            await lock_owner(tx, signed.org_id, agent)
            done = await store.lift(tx, signed.org_id, agent, tombstone_id, actor)
            if done is None:
                raise conflict("the tombstone was lifted already")
            return feedback.acted(done, actor)

    async def _run(
        self, signed: Signed, memory_id: UUID, row_version: int | None, do: Do, note: str = ""
    ) -> Acted:
        check_note(note)
        async with self._database().transaction([signed.org_id]) as tx:
            done = await self._act(tx, signed, memory_id, row_version, do)
        if isinstance(done, Acted):
            return done
        raise denied(done)

    async def _act(
        self, tx: Tx, signed: Signed, memory_id: UUID, row_version: int | None, do: Do
    ) -> Acted | Denied:
        known = await lock_memory(tx, signed.org_id, memory_id)
        if known is None or not _is_there(signed, known):
            raise ProblemError(NO_SUCH_MEMORY)
        if row_version is not None and row_version != known.row_version:
            wrong = FieldError(at="row_version", problem=f"is {known.row_version} now")
            raise conflict("the memory changed since you saw it: look at it again", (wrong,))
        actor = self._actor(signed)
        try:
            done = await do(tx, known, actor)
        except IllegalStep as illegal:
            raise conflict(str(illegal)) from None
        except Changed as changed:
            raise conflict(str(changed)) from None
        except store.Taken:
            raise conflict(
                "another active memory says this, or holds its place: supersede that one"
            ) from None
        if not isinstance(done, Acted):
            await store.record_memory_denied(tx, signed.org_id, known, done, actor)
        return done

    def _actor(self, signed: Signed) -> Actor:
        return Actor(signed.person.user_id, self._clock(), current_trace_id())


def _is_there(signed: Signed, known: Known) -> bool:
    """What is sensitive is not even there for those who may not read the Memory tab."""
    return not known.state.is_sensitive or may_read_memory(signed.person, known.row["role_agent_id"])


def _check_promotable(known: Known) -> None:
    life.stepped(known.state, "promote")
    if known.row["role_agent_id"] is None:
        raise conflict("the whole org knows it already")
    if known.row["layer"] == "session":
        raise unfit("it is a note of one run, and is told to no other (C42)")
    if known.row["subject_identity"] is not None:
        raise unfit("it is one person's preference, and would steer the agents for all")
