"""Use cases of souls: read, propose, approve, assign, pause (R216 to R226, C21, C39, C95).

A soul is words about tone. Nothing that decides reads one: no right, no mode, no limit rests on it (R218, R219).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_contracts.http.souls import (
    ApproveSoul,
    AssignSoul,
    ChangedSoul,
    ProposeSoul,
    SoulDetail,
    SoulVersionView,
    SoulView,
)
from dw_learning import scan
from dw_learning.authority import Person, may_see
from dw_learning.skills.life import SOUL_STEPS, SoulAct
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, conflict, denied, forbidden, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import inbox_reads
from dw_store import souls as store
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent
from dw_store.skills import Act

NO_SUCH_SOUL: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such soul")
ADMINS: Final = "admins and owners approve, assign and pause souls; managers may propose a version"


@dataclass(frozen=True, slots=True)
class Souls:
    """Managers read and propose; admins and owners decide. An attempt without the right is on record."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def page(self, signed: Signed, *, after: str, limit: int) -> list[SoulView]:
        """Souls by code; `after` is the last code of the page before."""
        _managers_only(signed.person)
        async with self.database().transaction([signed.org_id]) as tx:
            rows = await store.page(tx, signed.org_id, after=after, limit=limit)
        return [_view(row) for row in rows]

    async def detail(self, signed: Signed, code: str) -> SoulDetail:
        """A soul with its versions."""
        _managers_only(signed.person)
        async with self.database().transaction([signed.org_id]) as tx:
            soul = await store.one(tx, signed.org_id, code)
            if soul is None:
                raise ProblemError(NO_SUCH_SOUL)
            rows = await store.versions(tx, signed.org_id, soul["id"])
        return SoulDetail(soul=_view(soul), versions=tuple(map(_version_view, rows)))

    async def propose(self, signed: Signed, wanted: ProposeSoul) -> ChangedSoul:
        """A draft, which no pack shows until somebody else approves it (R223, C61)."""
        _managers_only(signed.person)
        _readable(wanted)
        async with self.database().transaction([signed.org_id]) as tx:
            act = self._act(signed)
            if await store.locked(tx, signed.org_id, wanted.code) is None:
                if wanted.base_version is not None:
                    raise conflict("there is no soul of this code to update: leave base_version out")
                await store.create(tx, signed.org_id, wanted.code, wanted.name or wanted.code, act)
            soul = await _locked(tx, signed.org_id, wanted.code)
            if wanted.base_version not in (None, soul["active_version"]):
                place = FieldError(
                    at="base_version", problem=f"is out of date: version {soul['active_version']} is active"
                )
                raise conflict("the soul changed since: look at it again", (place,))
            draft = store.NewSoulVersion(
                wanted.tone_rules, wanted.do_not_do, wanted.critique_rules, wanted.change_summary
            )
            number, version = await store.propose(tx, signed.org_id, soul, draft, act)
            return await self._changed(tx, signed, wanted.code, version, number)

    async def approve(self, signed: Signed, code: str, wanted: ApproveSoul) -> ChangedSoul:
        """By an admin who did not propose it; a sole admin may, marked."""
        async with self.database().transaction([signed.org_id]) as tx:
            soul = await _locked(tx, signed.org_id, code)
            drafts = [
                row for row in await store.versions(tx, signed.org_id, soul["id"]) if row["status"] == "draft"
            ]
            found = next((row for row in drafts if wanted.version in (None, row["version"])), None)
            is_own = found is not None and found["proposer_id"] == signed.person.user_id
            others = await _other_admins(tx, signed) if is_own else 0
            if not signed.person.is_admin or (is_own and others):
                await store.denied(tx, signed.org_id, soul, "approval of a soul", self._act(signed))
                why = denied("own_words") if signed.person.is_admin else forbidden(ADMINS)
            elif found is None:
                raise conflict("there is no such draft: it was decided, or never proposed")
            else:
                _scanned(found["tone_rules_md"], found["do_not_do_md"], found["critique_rules_md"])
                version = await store.approve(
                    tx, signed.org_id, soul, found["version"], self._act(signed), self_approved=is_own
                )
                return await self._changed(tx, signed, code, version, found["version"])
        raise why

    async def step(self, signed: Signed, code: str, act: SoulAct) -> ChangedSoul:
        """Pause or resume a soul for every agent that has it."""
        async with self.database().transaction([signed.org_id]) as tx:
            soul = await _locked(tx, signed.org_id, code)
            if await self._is_allowed(tx, signed, soul, f"{act} of a soul"):
                status = SOUL_STEPS.get((soul["status"], act))
                if status is None:
                    raise conflict(f"a soul that is {soul['status']} has no {act}")
                version = await store.step(tx, signed.org_id, soul, act, status, self._act(signed))
                return await self._changed(tx, signed, code, version)
        raise forbidden(ADMINS)

    async def assign(self, signed: Signed, agent: str, wanted: AssignSoul) -> ChangedSoul:
        """An approved soul to one role-agent: its tone changes, and nothing that it may do (R218)."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            soul = await _locked(tx, signed.org_id, wanted.soul)
            if await self._is_allowed(tx, signed, soul, "assignment of a soul"):
                if soul["status"] != "approved":
                    raise conflict(f"only approved souls are assigned; this one is {soul['status']}")
                row = await store.locked_agent(tx, signed.org_id, agent_id)
                version = await store.assign(tx, signed.org_id, row, soul, self._act(signed))
                return await self._changed(tx, signed, wanted.soul, version)
        raise forbidden(ADMINS)

    async def pause_for(self, signed: Signed, agent: str, act: SoulAct) -> ChangedSoul:
        """C39: the agent's soul, off or on again for this agent alone."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            row = await store.locked_agent(tx, signed.org_id, agent_id)
            soul = await _locked(tx, signed.org_id, row["soul"] or "")
            if await self._is_allowed(tx, signed, soul, f"{act} of an agent's soul"):
                if row["soul_paused"] == (act == "pause"):
                    raise conflict(
                        f"the agent's soul is {'paused' if row['soul_paused'] else 'not paused'} already"
                    )
                version = await store.pause_for(tx, signed.org_id, row, soul, act, self._act(signed))
                return await self._changed(tx, signed, soul["code"], version)
        raise forbidden(ADMINS)

    async def _is_allowed(self, tx: Tx, signed: Signed, soul: Any, what: str) -> bool:
        """False is on record, so the transaction must end before it is said (R149)."""
        if signed.person.is_admin:
            return True
        await store.denied(tx, signed.org_id, soul, what, self._act(signed))
        return False

    async def _changed(
        self, tx: Tx, signed: Signed, code: str, version: int, soul_version: int | None = None
    ) -> ChangedSoul:
        row = await store.one(tx, signed.org_id, code)
        return ChangedSoul(soul=_view(row), soul_version=soul_version, version=version)

    def _act(self, signed: Signed) -> Act:
        return Act(signed.person.user_id, self.clock(), current_trace_id())


async def _locked(tx: Tx, org_id: UUID, code: str) -> Any:
    soul = await store.locked(tx, org_id, code)
    if soul is None:
        raise ProblemError(NO_SUCH_SOUL)
    return soul


async def _agent(tx: Tx, signed: Signed, named: str) -> UUID:
    found = await find_agent(tx, signed.org_id, named)
    if found is None or not may_see(signed.person, found["id"]):
        raise ProblemError(NO_SUCH_AGENT)
    agent_id: UUID = found["id"]
    return agent_id


async def _other_admins(tx: Tx, signed: Signed) -> int:
    rows = await inbox_reads.deciders(tx, signed.org_id, [])
    return sum(row["user_id"] != signed.person.user_id and row["role"] in ("owner", "admin") for row in rows)


def _managers_only(person: Person) -> None:
    if not person.is_admin and not person.manages:
        raise forbidden("admins, owners and Agent Managers see and propose souls")


def _readable(wanted: ProposeSoul) -> None:
    if not wanted.tone_rules.strip() and not wanted.do_not_do.strip():
        raise unfit(
            "a soul says how to speak or what not to do", (FieldError(at="tone_rules", problem="is empty"),)
        )
    _scanned(wanted.name, wanted.tone_rules, wanted.do_not_do, wanted.critique_rules, wanted.change_summary)


def _scanned(*texts: str) -> None:
    if scan.examine(*texts).is_refused:
        raise unfit("the scans refuse this text: it holds a secret or an attack")


def _view(row: Any) -> SoulView:
    same = ("code", "status", "active_version", "is_default")
    lists = {name: tuple(row[name]) for name in ("agents", "paused_for")}
    return SoulView(**{name: row[name] for name in same}, name=scan.inert(row["name"]), **lists)


def _version_view(row: Any) -> SoulVersionView:
    return SoulVersionView(
        version=row["version"],
        tone_rules=scan.inert(row["tone_rules_md"]),
        do_not_do=scan.inert(row["do_not_do_md"]),
        critique_rules=scan.inert(row["critique_rules_md"]),
        change_summary=scan.inert(row["change_summary"]),
        status=row["status"],
        proposed_by=row["proposed_by"],
        approver=row["approver"],
        approved_at=row["approved_at"],
    )
