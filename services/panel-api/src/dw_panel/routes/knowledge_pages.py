"""What a role-agent knows, as a page: its memories and its skills, their history, and the ways back (R201, R228, R229)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Query
from fastapi.responses import RedirectResponse, Response

from dw_contracts.http.problem import ProblemCode, problem
from dw_contracts.http.skills import SkillView
from dw_learning import scan
from dw_learning.authority_acts import may_administer
from dw_panel.adapters.cookies import csrf_of
from dw_panel.adapters.templates import Templates
from dw_panel.answers import AgentView
from dw_panel.knowledge_acts import MemoryAction, MemoryForm, SkillAction, act_on_memory, act_on_skill
from dw_panel.knowledge_filter import ORG, KnowledgeFilter, Status, Tab, read_back
from dw_panel.lists import MemoryQuery
from dw_panel.people import Signed
from dw_panel.routes.api import UseCases
from dw_panel.routes.form_fields import (
    HOME,
    KNOWLEDGE,
    OLD_FORM,
    Back,
    CsrfField,
    SessionCookie,
    refusal_shown,
    uuid_of,
)
from dw_panel.routes.guard import signed_form, signed_in
from dw_panel.routes.uses import LearningUses
from dw_panel.skill_acts import SkillActs
from dw_runtime import ProblemError

DONE: Final = {
    "done": "Done. It counts from the next reply on.",
    "proposed": "Proposed. It waits in the Learning Inbox for somebody who may decide it.",
    "known": "Nothing to change: it says so already.",
    "undone": "Taken back.",
}
PAGE_MEMORIES: Final = 50
MOST_SKILLS: Final = 200
Version = Annotated[int, Form(ge=1, le=2**31 - 1)]


@dataclass(frozen=True, slots=True)
class KnowledgePages:
    """What the routes below share."""

    use: UseCases
    more: LearningUses
    skills: SkillActs
    templates: Templates

    async def render(
        self,
        signed: Signed,
        session: str,
        wanted: KnowledgeFilter,
        *,
        item: UUID | None = None,
        status_code: int = 200,
        error: str = "",
        done: str = "",
        act: str = "",
    ) -> Response:
        """The list, and beside it what is read: the chosen one, or the first."""
        agents = sorted(await self.use.inbox.agents(signed), key=lambda found: found.name)
        agent = _agent(wanted.agent, agents)
        values: dict[str, Any] = {
            "memories": [], "skills": [], "memory": None, "revisions": (), "detail": None, "next_cursor": None, "most": 0,
        }  # fmt: skip
        if wanted.tab == "skills" and isinstance(agent, AgentView):
            values |= await self._skills(signed, wanted, agent, item)
        elif wanted.tab == "memory" and agent is not None:
            values |= await self._memories(signed, wanted, agent, item)
        return self.templates.page(
            "knowledge.html",
            status_code,
            signed=signed,
            agents=agents,
            chosen_agent=str(agent.id) if isinstance(agent, AgentView) else (agent or ""),
            wanted=wanted,
            is_picked=item is not None,
            csrf=csrf_of(session),
            error=error,
            done=DONE.get(done, ""),
            act=str(uuid_of(act) or "") if done == "done" else "",
            home=KNOWLEDGE,
            inbox=HOME,
            org=ORG,
            may_administer=may_administer(signed.person) == "allowed",
            **values,
        )

    async def _memories(
        self, signed: Signed, wanted: KnowledgeFilter, agent: AgentView | str, item: UUID | None
    ) -> dict[str, Any]:
        lists = self.more.lists
        asked = MemoryQuery(
            agent=agent.id if isinstance(agent, AgentView) else None, status=wanted.memory_status,
            text=wanted.q, cursor=wanted.cursor, limit=PAGE_MEMORIES,
        )  # fmt: skip
        page = await lists.memories(signed, asked)
        chosen = await lists.memory(signed, item) if item is not None else next(iter(page.memories), None)
        revisions = (await lists.revisions(signed, chosen.id)).revisions if chosen is not None else ()
        return {
            "memories": page.memories,
            "memory": chosen,
            "revisions": revisions,
            "next_cursor": page.next_cursor,
        }

    async def _skills(
        self, signed: Signed, wanted: KnowledgeFilter, agent: AgentView, item: UUID | None
    ) -> dict[str, Any]:
        rows = await self.skills.page(
            signed, str(agent.id), status=wanted.skill_status, after="", limit=MOST_SKILLS
        )
        shown = [row for row in rows if _holds(row, wanted.q)]
        chosen = item or (shown[0].id if shown else None)
        detail = await self.skills.detail(signed, chosen) if chosen is not None else None
        return {"skills": shown, "detail": detail, "most": MOST_SKILLS if len(rows) == MOST_SKILLS else 0}


def add_knowledge_pages(router: APIRouter, pages: KnowledgePages) -> None:
    """The routes."""
    _add_page(router, pages)
    _add_undo(router, pages)
    _add_memory(router, pages)
    _add_skill(router, pages)


def _add_page(router: APIRouter, pages: KnowledgePages) -> None:
    @router.get(KNOWLEDGE)
    async def knowledge(
        agent: Annotated[str, Query(max_length=36)] = "",
        tab: Tab = "memory",
        status: Status = "",
        q: Annotated[str, Query(max_length=200)] = "",
        cursor: Annotated[str, Query(max_length=200)] = "",
        item: UUID | None = None,
        done: Literal["", "done", "proposed", "known", "undone"] = "",
        act: Annotated[str, Query(max_length=36)] = "",
        session: SessionCookie = "",
    ) -> Response:
        signed = await signed_in(pages.use.people, session)
        wanted = KnowledgeFilter(agent, tab, status, scan.inert(q).strip(), cursor)
        return await pages.render(signed, session, wanted, item=item, done=done, act=act)


def _add_undo(router: APIRouter, pages: KnowledgePages) -> None:
    @router.post(KNOWLEDGE + "/acts/{act_id}/undo")
    async def undo(
        act_id: UUID, back: Back = "", csrf: CsrfField = "", session: SessionCookie = ""
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = read_back(back)
        if not is_ours:
            return await pages.render(signed, session, wanted, status_code=403, error=OLD_FORM)
        try:
            await pages.more.undo.undo(signed, act_id)
        except ProblemError as refused:
            return await pages.render(signed, session, wanted, **refusal_shown(refused))
        return _seen(wanted, "undone")


def _add_memory(router: APIRouter, pages: KnowledgePages) -> None:
    @router.post(KNOWLEDGE + "/memories/{memory_id}")
    async def change_memory(
        memory_id: UUID,
        action: Annotated[MemoryAction, Form()],
        row_version: Version,
        text: Annotated[str, Form(max_length=2_000)] = "",
        never_again: Annotated[bool, Form()] = False,
        back: Back = "",
        csrf: CsrfField = "",
        session: SessionCookie = "",
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = replace(read_back(back), tab="memory")
        if not is_ours:
            return await pages.render(
                signed, session, wanted, item=memory_id, status_code=403, error=OLD_FORM
            )
        await pages.more.lists.memory(signed, memory_id)  # what somebody may not read here is not there
        form = MemoryForm(action, row_version, text, never_again)
        try:
            acted = await act_on_memory(pages.more.memories, signed, memory_id, form)
        except ProblemError as refused:
            if refused.problem.status == 404:
                raise
            return await pages.render(signed, session, wanted, item=memory_id, **refusal_shown(refused))
        return _seen(wanted, acted.outcome, acted.act_id)


def _add_skill(router: APIRouter, pages: KnowledgePages) -> None:
    @router.post(KNOWLEDGE + "/skills/{skill_id}")
    async def change_skill(
        skill_id: UUID,
        action: Annotated[SkillAction, Form()],
        to: Annotated[int | None, Form(ge=1, le=2**31 - 1)] = None,
        base_version: Annotated[int | None, Form(ge=1, le=2**31 - 1)] = None,
        back: Back = "",
        csrf: CsrfField = "",
        session: SessionCookie = "",
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = replace(read_back(back), tab="skills")
        if not is_ours:
            return await pages.render(signed, session, wanted, item=skill_id, status_code=403, error=OLD_FORM)
        try:
            await act_on_skill(pages.skills, signed, skill_id, action, to, base_version)
        except ProblemError as refused:
            if refused.problem.status == 404:
                raise
            return await pages.render(signed, session, wanted, item=skill_id, **refusal_shown(refused))
        return _seen(wanted, "done", item=skill_id)


def _seen(
    wanted: KnowledgeFilter, done: str, act: UUID | None = None, item: UUID | None = None
) -> RedirectResponse:
    """The same list after it was done."""
    more = f"done={done}" + (f"&act={act}" if act else "") + (f"&item={item}" if item else "")
    return RedirectResponse(f"{KNOWLEDGE}?{wanted.link()}{more}", status_code=303)


def _agent(named: str, agents: list[AgentView]) -> AgentView | str | None:
    """The one that is named, ORG, or the first; None where the reader has none. Another one's is not there."""
    if not named:
        return agents[0] if agents else None
    if named == ORG:
        return ORG
    found = next((agent for agent in agents if str(agent.id) == named), None)
    if found is None:
        raise ProblemError(
            problem(ProblemCode.NOT_FOUND, 404, "there is no such role-agent, or it is not yours")
        )
    return found


def _holds(skill: SkillView, words: str) -> bool:
    return words.lower() in f"{skill.name}\n{skill.description}".lower()
