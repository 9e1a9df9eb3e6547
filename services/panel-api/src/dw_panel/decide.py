"""Use case: approve or reject a learning item (R139, R140, R149, C61, C93)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.panel import Decided, DecideItem
from dw_learning import scan
from dw_learning.authority import SKILL_KINDS, Denied, may_decide
from dw_learning.item_edit import UNFIT_WORDS
from dw_learning.normal import has_words
from dw_learning.skill_draft import SkillDraft
from dw_learning.undo import UNDO_WINDOW
from dw_panel.inbox import views
from dw_panel.item_checks import authority_facts, check_claim, check_note, check_seen, edit_locked
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_ITEM, conflict, denied, unfit
from dw_panel.skills import proposed_skill
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import inbox_reads
from dw_store.database import Database, Tx
from dw_store.decide_item import (
    NotYet,
    Stale,
    Verdict,
    apply_verdict,
    lock_agent_of,
    record_denied,
    skill_names,
    skill_of,
)
from dw_store.memory_rows import Actor
from dw_store.versions import pack_version

MAX_MEMORY_CHARS: Final = 600


class Decide:
    """Of two people at the same moment one wins; the other is told what became of the item."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def run(self, signed: Signed, item_id: UUID, decision: DecideItem) -> Decided:
        """Edge, load, decide, apply: under the role-agent's lock, in one transaction. A refused attempt is on record
        (R149), so it ends its transaction and is said after it."""
        check_note(decision.note)
        async with self._database().transaction([signed.org_id]) as tx:
            done = await self._decide(tx, signed, item_id, decision)
        if isinstance(done, Decided):
            return done
        raise denied(done)

    async def _decide(self, tx: Tx, signed: Signed, item_id: UUID, decision: DecideItem) -> Decided | Denied:
        agent_code = await lock_agent_of(tx, signed.org_id, item_id)
        row = await inbox_reads.one_item(tx, signed.org_id, item_id) if agent_code is not None else None
        if row is None or agent_code is None:
            raise ProblemError(NO_SUCH_ITEM)
        if decision.text and decision.action == "approve":
            return await self._edit_and_approve(tx, signed, row, agent_code, decision)
        return await self._rule(tx, signed, row, agent_code, decision)

    async def _edit_and_approve(
        self, tx: Tx, signed: Signed, row: Any, agent_code: str, decision: DecideItem
    ) -> Decided | Denied:
        """C61: on an item that matters, an approval with a text is an edit that leaves it pending."""
        actor = Actor(signed.person.user_id, self._clock(), current_trace_id())
        refused = await edit_locked(tx, signed, row, decision.row_version, decision.text, actor)
        if refused is not None:
            await record_denied(tx, signed.org_id, row, actor.user_id, refused, actor.at)
            return refused
        edited = await inbox_reads.one_item(tx, signed.org_id, row["id"])
        if edited is None:
            raise ProblemError(NO_SUCH_ITEM)
        facts, others = await authority_facts(tx, signed, edited)
        if may_decide(signed.person, facts, other_deciders=others) in ("allowed", "self_approved"):
            seen = decision.model_copy(update={"row_version": edited["row_version"]})
            return await self._rule(tx, signed, edited, agent_code, seen)
        shown = await views(tx, signed, [edited])
        return Decided(item=shown[0], version=await pack_version(tx, signed.org_id, row["role_agent_id"]))

    async def _rule(
        self, tx: Tx, signed: Signed, row: Any, agent_code: str, decision: DecideItem
    ) -> Decided | Denied:
        item_id = row["id"]
        facts, others = await authority_facts(tx, signed, row)
        allowed = may_decide(signed.person, facts, other_deciders=others)
        if allowed != "allowed" and allowed != "self_approved":
            await record_denied(tx, signed.org_id, row, signed.person.user_id, allowed, self._clock())
            return allowed
        now = self._clock()
        check_seen(row, decision.row_version)
        check_claim(row, signed.person, now)
        verdict = Verdict(
            row_version=decision.row_version,
            action=decision.action,
            note=decision.note,
            user_id=signed.person.user_id,
            self_approved=allowed == "self_approved",
            trace_id=current_trace_id(),
            at=now,
            scan_version=scan.SCAN_VERSION,
            never_again=decision.never_again,
            reject_reason=decision.reason if decision.action == "reject" else None,
            skill=await checked(tx, signed, row, agent_code) if decision.action == "approve" else None,
        )
        try:
            applied = await apply_verdict(tx, signed.org_id, row, verdict)
        except Stale as stale:
            raise conflict(str(stale)) from None
        except NotYet:
            raise unfit("this kind of item cannot be approved yet; it can be rejected") from None
        shown = await views(tx, signed, [await inbox_reads.one_item(tx, signed.org_id, item_id)])
        return Decided(
            item=shown[0],
            memory_id=applied.memory_id,
            version=applied.version,
            act_id=applied.act_id,
            undo_until=now + UNDO_WINDOW,
        )


async def checked(tx: Tx, signed: Signed, row: Any, agent_code: str) -> SkillDraft | None:
    """R100: what is to be activated is scanned at that moment, whatever was known when it was proposed."""
    payload: Mapping[str, Any] = row["proposed_payload"]
    if row["kind"] in SKILL_KINDS:
        known = await skill_of(tx, signed.org_id, row)
        taken = await skill_names(tx, signed.org_id, row["role_agent_id"])
        fixed = known["name"] if known is not None else None
        skill = proposed_skill(payload, agent_code, row["risk"], taken, fixed)
        _scanned(skill.description, skill.body_md)
        return skill
    if row["kind"] == "memory_proposal" and row["action"] in ("create", "update"):
        for said in payload.get("entries", [payload]):  # of an import every file (C82)
            if not 0 < len(said["content"]) <= MAX_MEMORY_CHARS:
                raise unfit(f"a memory has 1 to {MAX_MEMORY_CHARS} characters")
            if not has_words(said["content"]):
                raise unfit(f"{UNFIT_WORDS['no_words']}; reject the item")
            _scanned(said["content"])
    return None


def _scanned(*texts: str) -> None:
    if scan.examine(*texts).is_refused:
        raise unfit("the scans refuse this text: it holds a secret or an attack; reject the item")
