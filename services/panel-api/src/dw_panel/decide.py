"""Use case: approve or reject a learning item (R139, R140, R149, C61, C93)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.panel import Decided, DecideItem
from dw_contracts.http.problem import FieldError
from dw_learning import scan
from dw_learning.authority import SKILL_KINDS, Denied, may_decide
from dw_learning.skill_draft import SkillDraft
from dw_panel.inbox import views
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_ITEM, conflict, denied, unfit
from dw_panel.skills import proposed_skill
from dw_panel.views import facts_of, other_deciders
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

MAX_MEMORY_CHARS: Final = 600


class Decide:
    """Of two people at the same moment one wins; the other is told what became of the item."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def run(self, signed: Signed, item_id: UUID, decision: DecideItem) -> Decided:
        """Edge, load, decide, apply: under the role-agent's lock, in one transaction. A refused attempt is on record
        (R149), so it ends its transaction and is said after it."""
        if scan.examine(decision.note).secrets:
            raise unfit("the note holds a secret", (FieldError(at="note", problem="holds a secret"),))
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
        authors = (await inbox_reads.authors_of(tx, signed.org_id, [item_id])).get(item_id, frozenset())
        people = await inbox_reads.deciders(tx, signed.org_id, [row["role_agent_id"]])
        facts = facts_of(row, authors)
        others = other_deciders(signed.person, facts, people)
        allowed = may_decide(signed.person, facts, other_deciders=others)
        if allowed != "allowed" and allowed != "self_approved":
            await record_denied(tx, signed.org_id, row, signed.person.user_id, allowed, self._clock())
            return allowed
        if row["status"] != "pending" or row["row_version"] != decision.row_version:
            raise _as_it_stands(row)
        verdict = Verdict(
            row_version=decision.row_version,
            action=decision.action,
            note=decision.note,
            user_id=signed.person.user_id,
            self_approved=allowed == "self_approved",
            trace_id=current_trace_id(),
            at=self._clock(),
            scan_version=scan.SCAN_VERSION,
            skill=await _checked(tx, signed, row, agent_code) if decision.action == "approve" else None,
        )
        try:
            applied = await apply_verdict(tx, signed.org_id, row, verdict)
        except Stale as stale:
            raise conflict(str(stale)) from None
        except NotYet:
            raise unfit("this kind of item cannot be approved yet; it can be rejected") from None
        shown = await views(tx, signed, [await inbox_reads.one_item(tx, signed.org_id, item_id)])
        return Decided(item=shown[0], memory_id=applied.memory_id, version=applied.version)


async def _checked(tx: Tx, signed: Signed, row: Any, agent_code: str) -> SkillDraft | None:
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
        if not 0 < len(payload["content"]) <= MAX_MEMORY_CHARS:
            raise unfit(f"a memory has 1 to {MAX_MEMORY_CHARS} characters")
        _scanned(payload["content"])
    return None


def _scanned(*texts: str) -> None:
    if scan.examine(*texts).is_refused:
        raise unfit("the scans refuse this text: it holds a secret or an attack; reject the item")


def _as_it_stands(row: Any) -> ProblemError:
    """D31: the loser of a race learns what became of the item."""
    places = (
        FieldError(at="status", problem=f"is {row['status']} now"),
        FieldError(at="row_version", problem=f"is {row['row_version']} now"),
    )
    if row["status"] == "pending":
        return conflict("the item changed since you saw it: look at it again", places)
    who = f" by {row['decided_by_code']}" if row["decided_by_code"] else ""
    return conflict(f"the item was {row['status']}{who} at {row['decided_at']:%d %b %Y, %H:%M} UTC", places)
