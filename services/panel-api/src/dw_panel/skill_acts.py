"""Use cases of skills: read, propose, pause, resume, archive, revert, the desired list (R198 to R215, D49).

Approval is the Learning Inbox's alone: nothing here activates a text that nobody else has read (R79, C61).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_contracts.http.skills import (
    ChangedSkill,
    ExportedSkill,
    ImportSkill,
    ProposedSkill,
    ProposeSkill,
    RevertSkill,
    SkillDetail,
    SkillView,
)
from dw_learning import scan
from dw_learning.authority import may_see
from dw_learning.skill_draft import SkillRisk
from dw_learning.skills.folder import export_skill, import_skill
from dw_learning.skills.format import SkillDocument, read_skill, write_skill
from dw_learning.skills.life import SkillAct, is_for_admins, skill_after
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, conflict, forbidden, unfit
from dw_panel.skill_checks import checked, faulty, of_agent, on_base, risk_of, scanned, stale
from dw_panel.skill_views import MASKED, skill_view, version_view
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import skills as store
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent

NO_SUCH_SKILL: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such skill, or it is not yours")
WHY: Final = {
    "skill": "Every new or changed skill needs a yes.",
    "sensitive": "The skill touches what only admins and owners decide.",
}


@dataclass(frozen=True, slots=True)
class SkillActs:
    """For admins, owners and the managers of the role-agent. An attempt without the right is on record."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def page(
        self, signed: Signed, agent: str, *, status: str, after: str, limit: int
    ) -> list[SkillView]:
        """An agent's skills by name; `after` is the last name of the page before."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id, _ = await _agent(tx, signed, agent)
            rows = await store.of_agent(tx, signed.org_id, agent_id, status=status, after=after, limit=limit)
        return [skill_view(row, signed.person) for row in rows]

    async def detail(self, signed: Signed, skill_id: UUID) -> SkillDetail:
        """A skill with its versions."""
        async with self.database().transaction([signed.org_id]) as tx:
            skill = await _skill(tx, signed, skill_id)
            rows = await store.versions(tx, signed.org_id, skill_id)
        shown = tuple(version_view(row, skill, signed.person) for row in rows)
        return SkillDetail(skill=skill_view(skill, signed.person), versions=shown)

    async def export(self, signed: Signed, skill_id: UUID) -> ExportedSkill:
        """The active version as a folder of the public format."""
        async with self.database().transaction([signed.org_id]) as tx:
            skill = await _skill(tx, signed, skill_id)
            found = await store.version(tx, signed.org_id, skill_id, skill["active_version"] or 0)
        document = read_skill(found["body_md"]) if found is not None else ()
        if found is None or not isinstance(document, SkillDocument):
            raise conflict("the skill has no active version in the strict format: propose one first")
        if skill["risk"] == "sensitive" and not signed.person.is_admin:
            raise forbidden(MASKED)
        text = export_skill(replace(document, risk=skill["risk"]), found["metadata"])
        return ExportedSkill(path=f"{skill['name']}/SKILL.md", skill_md=text)

    async def propose(self, signed: Signed, agent: str, wanted: ProposeSkill) -> ProposedSkill:
        """A new skill, or an update on its base. It waits in the inbox for somebody else's yes."""
        document = checked(wanted)
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id, code = await _agent(tx, signed, agent)
            of_agent(document, code)
            return await proposed(tx, signed.org_id, self._act(signed), agent_id, document, wanted)

    async def import_folder(self, signed: Signed, agent: str, folder: ImportSkill) -> ProposedSkill:
        """C82: a public folder becomes a proposal like any other; what it may not bring is taken away, on record."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id, code = await _agent(tx, signed, agent)
            scanned(*folder.files)
            found = import_skill(folder.skill_md, folder.files, code)
            if isinstance(found, tuple):
                raise faulty(found, "skill_md")
            summary = "imported from an Agent Skills folder"
            wanted = ProposeSkill(
                body_md=write_skill(found.document), change_summary=summary, base_version=folder.base_version
            )
            return await proposed(
                tx,
                signed.org_id,
                self._act(signed),
                agent_id,
                found.document,
                wanted,
                found.stripped,
                found.metadata,
            )

    async def step(self, signed: Signed, skill_id: UUID, act: SkillAct) -> ChangedSkill:
        """Pause, resume, archive: the next pack knows."""
        async with self.database().transaction([signed.org_id]) as tx:
            skill = await _locked(tx, signed, skill_id)
            status = skill_after(skill["status"], act)
            if status is None:
                raise conflict(f"a skill that is {skill['status']} has no {act}")
            refused = is_for_admins(skill["status"], act) and not signed.person.is_admin
            if refused:
                await store.denied(tx, signed.org_id, skill, f"{act} of an archived skill", self._act(signed))
            else:
                version = await store.step(tx, signed.org_id, skill, act, status, self._act(signed))
                done = await self._changed(tx, signed, skill_id, version)
        if refused:
            raise forbidden("admins and owners bring back what was archived")
        return done

    async def revert(self, signed: Signed, skill_id: UUID, wanted: RevertSkill) -> ChangedSkill:
        """R202: an older approved version is used again, and the bad one by nobody from the next pack on."""
        async with self.database().transaction([signed.org_id]) as tx:
            skill = await _locked(tx, signed, skill_id)
            if wanted.base_version not in (None, skill["active_version"]):
                raise stale(skill["active_version"])
            description, risk = await _older(tx, signed, skill, wanted.to)
            refused = "sensitive" in (risk, skill["risk"]) and not signed.person.is_admin
            if refused:
                await store.denied(tx, signed.org_id, skill, "revert of a sensitive skill", self._act(signed))
            else:
                version = await store.revert(
                    tx, signed.org_id, skill, wanted.to, description, risk, self._act(signed)
                )
                done = await self._changed(tx, signed, skill_id, version)
        if refused:
            raise forbidden("admins and owners decide about sensitive skills")
        return done

    async def enable(self, signed: Signed, skill_id: UUID, enabled: bool) -> ChangedSkill:
        """On or off the desired list."""
        async with self.database().transaction([signed.org_id]) as tx:
            skill = await _locked(tx, signed, skill_id)
            version = await store.enable(tx, signed.org_id, skill, enabled, self._act(signed))
            return await self._changed(tx, signed, skill_id, version)

    async def _changed(self, tx: Tx, signed: Signed, skill_id: UUID, version: int) -> ChangedSkill:
        row = await store.one(tx, signed.org_id, skill_id)
        return ChangedSkill(skill=skill_view(row, signed.person), version=version)

    def _act(self, signed: Signed) -> store.Act:
        return store.Act(signed.person.user_id, self.clock(), current_trace_id())


async def proposed(
    tx: Tx,
    org_id: UUID,
    act: store.Act,
    agent_id: UUID,
    document: SkillDocument,
    wanted: ProposeSkill,
    stripped: tuple[str, ...] = (),
    metadata: Mapping[str, str] | None = None,
) -> ProposedSkill:
    """Scan, lock, check the base, write the item: the one way of a proposal, whoever makes it (R214)."""
    scanned(wanted.body_md, wanted.change_summary, *(metadata or {}).values())
    await store.lock_agent(tx, org_id, agent_id)
    known = await store.by_name(tx, org_id, agent_id, document.name)
    on_base(known, wanted.base_version)
    rebased = None
    if wanted.rebases is not None:
        rebased = await store.open_update(tx, org_id, wanted.rebases, known["id"]) if known else None
        if rebased is None:
            raise conflict("the update to rebase is not open any more, or of another skill")
    if act.worker is not None and known and known["created_by_agent"] is False:
        raise forbidden("an agent updates only skills that it made itself")
    risk, is_sensitive = risk_of(document, trusted=act.worker is None)
    body = write_skill(replace(document, risk=risk))
    await _is_news(tx, org_id, agent_id, document.name, known, (body, dict(metadata or {})))
    proposal = store.NewProposal(
        role_agent_id=agent_id,
        name=document.name,
        description=document.description,
        risk=risk,
        is_sensitive=is_sensitive,
        body_md=body,
        change_summary=wanted.change_summary,
        reason="sensitive" if is_sensitive else "skill",
        explanation=WHY["sensitive" if is_sensitive else "skill"],
        skill_id=known["id"] if known else None,
        base_version=wanted.base_version,
        rebases=rebased,
        stripped=stripped,
        metadata=metadata or {},
    )
    try:
        item_id, version = await store.propose(tx, org_id, proposal, act)
    except store.SameProposalWaits:
        raise conflict("the same proposal waits in the inbox already") from None
    return ProposedSkill(
        item_id=item_id,
        skill_id=proposal.skill_id,
        name=document.name,
        risk=risk,
        version=version,
        stripped=stripped,
    )


async def _is_news(
    tx: Tx, org_id: UUID, agent_id: UUID, name: str, known: Any | None, said: tuple[str, dict[str, str]]
) -> None:
    """Nobody is asked for a yes to what holds already, nor to two new skills of one name: the second would have to take
    another name. Refuses: 409."""
    if known is None:
        if await store.waits_as_new(tx, org_id, agent_id, name):
            raise conflict(
                "a new skill of this name waits in the inbox already: let somebody decide it first"
            )
        return
    active = await store.version(tx, org_id, known["id"], known["active_version"] or 0)
    if active is not None and (active["body_md"], active["metadata"]) == said:
        raise conflict(f"version {active['version']}, which is active, says just this")


async def _agent(tx: Tx, signed: Signed, named: str) -> tuple[UUID, str]:
    """Id and code of the role-agent, for whom it concerns."""
    found = await find_agent(tx, signed.org_id, named)
    if found is None or not may_see(signed.person, found["id"]):
        raise ProblemError(NO_SUCH_AGENT)
    return found["id"], found["code"]


async def _skill(tx: Tx, signed: Signed, skill_id: UUID) -> Any:
    row = await store.one(tx, signed.org_id, skill_id)
    if row is None or not may_see(signed.person, row["role_agent_id"]):
        raise ProblemError(NO_SUCH_SKILL)
    return row


async def _locked(tx: Tx, signed: Signed, skill_id: UUID) -> Any:
    """The skill, read under its role-agent's lock."""
    agent_id = await store.agent_of(tx, signed.org_id, skill_id)
    if agent_id is None:
        raise ProblemError(NO_SUCH_SKILL)
    await store.lock_agent(tx, signed.org_id, agent_id)
    return await _skill(tx, signed, skill_id)


async def _older(tx: Tx, signed: Signed, skill: Any, to: int) -> tuple[str, SkillRisk]:
    """Description and risk of a version that may become the active one again. It is scanned as if it were new (R100)."""
    if to == skill["active_version"]:
        raise conflict(f"version {to} is the active one")
    found = await store.version(tx, signed.org_id, skill["id"], to)
    if found is None or found["status"] not in ("approved", "retired"):
        place = FieldError(at="to", problem="is no version that was approved once")
        raise unfit("there is nothing to go back to", (place,))
    if scan.examine(found["body_md"]).is_refused:
        raise unfit("the scans refuse this version: it holds a secret or an attack")
    document = read_skill(found["body_md"])
    if isinstance(document, SkillDocument):
        return document.description, document.risk
    return skill["description"], skill["risk"]
