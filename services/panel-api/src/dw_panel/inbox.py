"""Use cases of the Learning Inbox: read, decide (R128 to R149, C61, C93, C95)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.panel import (
    AuditEvent,
    AuditPage,
    Decided,
    DecideItem,
    Evidence,
    ItemPage,
    LearningItemView,
)
from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.ids import OrgId
from dw_learning import scan
from dw_learning.authority import ItemFacts, Person, allowed_actions, may_decide, may_see, sees_text
from dw_learning.skill_draft import SkillDraft, draft_skill
from dw_panel.cursors import read_cursor, write_cursor
from dw_panel.people import Signed
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import inbox_reads
from dw_store.database import Database, Tx
from dw_store.decide_item import Stale, Verdict, apply_verdict, lock_agent

MAX_EVIDENCE = 50
MASK = "[hidden: admins and owners decide this]"
DENIED = {
    "not_yours": (404, ProblemCode.NOT_FOUND, "there is no such item, or it is not yours to decide"),
    "admins_only": (403, ProblemCode.FORBIDDEN, "this item is sensitive: admins and owners decide it"),
    "own_words": (
        403,
        ProblemCode.FORBIDDEN,
        "nobody decides alone on their own words: ask another manager or an admin",
    ),
}


class Inbox:
    """One reader, one writer: pages and JSON both call these."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def agents(self, signed: Signed) -> list[dict[str, Any]]:
        """Role-agents whose inbox this person may see."""
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            rows = await inbox_reads.agents_of(tx, signed.org_id)
        return [dict(row) for row in rows if may_see(signed.person, row["id"])]

    async def page(
        self, signed: Signed, *, agent: UUID | None, status: str, risk: str, cursor: str, limit: int
    ) -> ItemPage:
        """Items by due date, those of the reader's agents alone."""
        after = read_cursor(cursor)
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            wanted = inbox_reads.ItemFilter(_scope(signed.person, agent), status, risk, after, limit + 1)
            rows, total = await inbox_reads.item_page(tx, signed.org_id, wanted)
            views = [await self._view(tx, signed, row) for row in rows[:limit]]
        last = rows[limit - 1] if len(rows) > limit else None
        following = (
            write_cursor(last["due_at"] or last["created_at"], last["id"]) if last is not None else None
        )
        return ItemPage(items=tuple(views), next_cursor=following, total=total)

    async def item(self, signed: Signed, item_id: UUID) -> LearningItemView:
        """One item, of whatever status."""
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            row = await self._row(tx, signed, item_id)
            return await self._view(tx, signed, row)

    async def decide(self, signed: Signed, item_id: UUID, decision: DecideItem) -> Decided:
        """Approve or reject; of two people at the same moment one wins and the other is told so."""
        now = self._clock()
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            row = await self._row(tx, signed, item_id)
            await lock_agent(tx, signed.org_id, row["role_agent_id"])
            row = await self._row(tx, signed, item_id)
            allowed = may_decide(
                signed.person, _facts(row), other_deciders=await self._others(tx, signed, row)
            )
            if allowed in DENIED:
                status, code, detail = DENIED[allowed]
                raise ProblemError(problem(code, status, detail))
            verdict = Verdict(
                item_id=item_id,
                row_version=decision.row_version,
                action=decision.action,
                note=decision.note,
                user_id=signed.person.user_id,
                self_approved=allowed == "self_approved",
                trace_id=current_trace_id(),
                skill=await self._skill(tx, signed, row) if decision.action == "approve" else None,
            )
            if decision.action == "approve":
                _scan_again(row["proposed_payload"], verdict.skill)
            try:
                made, version = await apply_verdict(tx, signed.org_id, row, verdict, now)
            except Stale as stale:
                raise ProblemError(problem(ProblemCode.CONFLICT, 409, str(stale))) from None
            view = await self._view(tx, signed, await self._row(tx, signed, item_id))
        return Decided(item=view, memory_id=made, version=version)

    async def audit(self, signed: Signed, *, agent: UUID | None, cursor: str, limit: int) -> AuditPage:
        """Learning events, newest first. Managers see those of their agents, sensitive texts masked."""
        before = int(cursor) if cursor.isdigit() and len(cursor) < 19 else None
        if cursor and before is None:
            raise ProblemError(problem(ProblemCode.INVALID_BODY, 400, "the cursor is none of ours"))
        async with self._database().transaction([OrgId(signed.org_id)]) as tx:
            rows = await inbox_reads.audit_page(
                tx, signed.org_id, _scope(signed.person, agent), before, limit + 1
            )
        following = str(rows[limit - 1]["place"]) if len(rows) > limit else None
        return AuditPage(
            events=tuple(_event(row, signed.person) for row in rows[:limit]), next_cursor=following
        )

    async def _row(self, tx: Tx, signed: Signed, item_id: UUID) -> Any:
        row = await inbox_reads.one_item(tx, signed.org_id, item_id)
        if row is None or not may_see(signed.person, row["role_agent_id"]):
            status, code, detail = DENIED["not_yours"]
            raise ProblemError(problem(code, status, detail))
        return row

    async def _others(self, tx: Tx, signed: Signed, row: Any) -> int:
        """How many others could decide this item."""
        facts = _facts(row)
        people = [
            Person(r["user_id"], r["role"], frozenset({row["role_agent_id"]} if r["manages"] else ()))
            for r in await inbox_reads.deciders(tx, signed.org_id, row["role_agent_id"])
        ]
        return sum(
            1
            for person in people
            if person.user_id != signed.person.user_id
            and may_decide(person, facts, other_deciders=1) == "allowed"
        )

    async def _skill(self, tx: Tx, signed: Signed, row: Any) -> SkillDraft | None:
        if row["kind"] not in ("skill_proposal", "skill_update"):
            return None
        payload = row["proposed_payload"]
        code = next(
            a["code"]
            for a in await inbox_reads.agents_of(tx, signed.org_id)
            if a["id"] == row["role_agent_id"]
        )
        return draft_skill(payload["content"], payload["key"], code, row["risk"])

    async def _view(self, tx: Tx, signed: Signed, row: Any) -> LearningItemView:
        shown = sees_text(signed.person, _facts(row))
        others = await self._others(tx, signed, row) if row["status"] == "pending" else 0
        payload: dict[str, Any] = {"content": MASK}  # the key and the marks would tell as well
        if shown:
            payload = {**row["proposed_payload"], "content": scan.inert(row["proposed_payload"]["content"])}
        return LearningItemView(
            **{name: row[name] for name in _PLAIN},
            payload=payload,
            current_text=(row["current_text"] and scan.inert(row["current_text"])) if shown else None,
            evidence=tuple(
                _evidence(ref, shown, row["created_at"]) for ref in row["source_refs"][-MAX_EVIDENCE:][::-1]
            ),
            confidence=float(row["confidence"]),
            allowed_actions=allowed_actions(
                signed.person, _facts(row), pending=row["status"] == "pending", other_deciders=others
            ),
        )


_PLAIN = [
    "id",
    "role_agent_id",
    "kind",
    "action",
    "status",
    "risk",
    "is_sensitive",
    "reason_code",
    "explanation",
    "evidence_count",
    "sender_verified",
    "row_version",
    "created_at",
    "due_at",
    "decided_by",
    "decided_at",
]


def _scope(person: Person, agent: UUID | None) -> list[UUID] | None:
    if agent is not None:
        return [agent] if may_see(person, agent) else []
    return None if person.is_admin else sorted(person.manages)


def _facts(row: Any) -> ItemFacts:
    authors = frozenset({row["sender_user_id"]} if row["sender_user_id"] else ())
    return ItemFacts(row["role_agent_id"], row["kind"], row["risk"], row["is_sensitive"], authors)


def _evidence(ref: Mapping[str, Any], shown: bool, fallback: datetime) -> Evidence:
    return Evidence(
        event_id=ref.get("event_id"),
        channel_id=ref.get("channel_id"),
        excerpt=scan.inert(ref.get("excerpt", "")) if shown else "",
        verified=bool(ref.get("verified")),
        at=ref.get("at") or fallback,
    )


def _scan_again(payload: Mapping[str, Any], skill: SkillDraft | None) -> None:
    """R100: what is activated is scanned at that moment, whatever was known when it was proposed."""
    text = skill.body_md if skill is not None else payload["content"]
    if scan.scan_secrets(text) or scan.is_rejecting(scan.scan_injection(text)):
        raise ProblemError(
            problem(
                ProblemCode.INVALID_BODY, 422, "the scans refuse this text: it holds a secret or an attack"
            )
        )


def _event(row: Any, person: Person) -> AuditEvent:
    hidden = not person.is_admin and (row["after"] or {}).get("risk") == "sensitive"
    after = {**row["after"], "content": MASK} if hidden else row["after"]
    return AuditEvent(
        id=row["event_id"],
        type=row["event_type"],
        actor_type=row["actor_type"],
        actor=row["actor_id"],
        on_behalf_of=row["on_behalf_of"],
        role_agent_id=row["role_agent_id"],
        subject_type=row["subject_type"],
        subject_id=row["subject_id"],
        reason=row["reason"] or "",
        before=row["before"],
        after=after,
        source_event_id=row["source_event_id"],
        trace_id=row["trace_id"],
        at=row["at"],
    )
