"""The Learning Inbox as pages: list and item, a decision, many decisions at once, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Query
from fastapi.responses import RedirectResponse, Response

from dw_contracts.http.learning import BulkAct, BulkRow
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning import scan
from dw_panel.adapters.cookies import csrf_of
from dw_panel.adapters.templates import Templates
from dw_panel.lists import Assigned
from dw_panel.page_acts import PageAct, PageAction, act_of_page
from dw_panel.page_filter import PageFilter, Risk, Status, read_back
from dw_panel.page_view import BulkOnPage, bulk_on_page, neighbours, on_page, text_for_edit, title_of
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
from dw_runtime import ProblemError
from dw_store.inbox_reads import Sort

MAX_ROWS: Final = 100
DONE: Final = {
    "approved": "Approved. It counts from the next reply on.",
    "rejected": "Rejected.",
    "pending": "Saved. The item still waits for somebody to decide it.",
    "undone": "Taken back. The item waits again.",
}
Reason = Literal["", "wrong", "not_lasting", "duplicate", "not_ours", "private", "other"]
# item:version, as the list showed it.
Rows = Annotated[list[str], Form(max_length=MAX_ROWS)]


@dataclass(frozen=True, slots=True)
class InboxPages:
    """What the routes below share."""

    use: UseCases
    more: LearningUses
    templates: Templates
    clock: Callable[[], datetime]

    async def render(
        self,
        signed: Signed,
        session: str,
        wanted: PageFilter,
        *,
        item: UUID | None = None,
        status_code: int = 200,
        error: str = "",
        done: str = "",
        act: str = "",
        bulk: BulkOnPage | None = None,
    ) -> Response:
        """The list, and beside it the item that is read: the chosen one, or the first."""
        use, now = self.use, self.clock()
        page = await self.more.lists.items(signed, wanted.query(_agent(wanted.agent)))
        chosen = await use.inbox.item(signed, item) if item is not None else next(iter(page.items), None)
        agents = {found.id: found for found in await use.inbox.agents(signed)}
        channels = await use.inbox.channels(signed, [chosen] if chosen is not None else [])
        return self.templates.page(
            "inbox.html",
            status_code,
            signed=signed,
            items=[on_page(view, agents, channels, now) for view in page.items],
            chosen=on_page(chosen, agents, channels, now) if chosen is not None else None,
            is_picked=item is not None,
            next_cursor=page.next_cursor,
            total=page.total,
            agents=sorted(agents.values(), key=lambda found: found.name),
            wanted=wanted,
            csrf=csrf_of(session),
            error=error,
            done=DONE.get(done, ""),
            act=str(uuid_of(act) or "") if done in ("approved", "rejected") else "",
            bulk=bulk,
            edit_text=text_for_edit(chosen) if chosen is not None else "",
            neighbours=neighbours(page.items, chosen.id if chosen is not None else None),
            home=HOME,
            knowledge=KNOWLEDGE,
        )

    async def bulk(
        self,
        signed: Signed,
        session: str,
        back: PageFilter,
        rows: Sequence[str],
        action: Literal["approve", "reject"],
    ) -> Response:
        """Each row its own decision; the page says what became of each (D23, D36)."""
        if not rows:
            error = "Choose at least one item of the list first."
            return await self.render(signed, session, back, status_code=422, error=error)
        try:
            asked = BulkAct(action=action, items=tuple(_row(text) for text in rows))
            done = await self.more.bulk.run(signed, asked)
        except ProblemError as refused:
            return await self.render(signed, session, back, **refusal_shown(refused))
        known = await self.use.inbox.items(signed, [row.id for row in done.results])
        titles = {view.id: title_of(view) for view in known}
        return await self.render(signed, session, back, bulk=bulk_on_page(action, done.results, titles))


def add_inbox_pages(router: APIRouter, pages: InboxPages) -> None:
    """The routes. Bulk before one item: both are POST below the same address."""
    _add_list(router, pages)
    _add_undo(router, pages)
    _add_bulk(router, pages)
    _add_decision(router, pages)


def _add_list(router: APIRouter, pages: InboxPages) -> None:
    @router.get(HOME)
    async def learning(
        item: UUID | None = None,
        status: Status = "pending",
        risk: Risk = "",
        agent: str = "",
        assigned: Assigned = "",
        overdue: Literal["", "1"] = "",
        q: Annotated[str, Query(max_length=200)] = "",
        sort: Sort = "due",
        cursor: Annotated[str, Query(max_length=200)] = "",
        done: Literal["", "approved", "rejected", "pending", "undone"] = "",
        act: Annotated[str, Query(max_length=36)] = "",
        session: SessionCookie = "",
    ) -> Response:
        signed = await signed_in(pages.use.people, session)
        wanted = PageFilter(status, risk, agent, assigned, overdue, scan.inert(q).strip(), sort, cursor)
        return await pages.render(signed, session, wanted, item=item, done=done, act=act)


def _add_undo(router: APIRouter, pages: InboxPages) -> None:
    @router.post(HOME + "/acts/{act_id}/undo")
    async def undo(
        act_id: UUID, back: Back = "", csrf: CsrfField = "", session: SessionCookie = ""
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = read_back(back)
        if not is_ours:
            return await pages.render(signed, session, wanted, status_code=403, error=OLD_FORM)
        try:
            taken = await pages.more.undo.undo(signed, act_id)
        except ProblemError as refused:
            return await pages.render(signed, session, wanted, **refusal_shown(refused))
        where = f"{HOME}?done=undone" + (f"&{wanted.back}" if wanted.back else "")
        return RedirectResponse(where + (f"&item={taken.item_id}" if taken.item_id else ""), status_code=303)


def _add_bulk(router: APIRouter, pages: InboxPages) -> None:
    @router.post(HOME + "/bulk")
    async def bulk(
        action: Annotated[Literal["approve", "reject"], Form()],
        row: Rows = [],  # noqa: B006  # fastapi copies it
        back: Back = "",
        csrf: CsrfField = "",
        session: SessionCookie = "",
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = read_back(back)
        if not is_ours:
            return await pages.render(signed, session, wanted, status_code=403, error=OLD_FORM)
        return await pages.bulk(signed, session, wanted, row, action)


def _add_decision(router: APIRouter, pages: InboxPages) -> None:
    @router.post(HOME + "/{item_id}")
    async def decide(
        item_id: UUID,
        action: Annotated[PageAction, Form()],
        row_version: Annotated[int, Form(ge=1, le=2**31 - 1)],
        note: Annotated[str, Form(max_length=2_000)] = "",
        text: Annotated[str, Form(max_length=20_000)] = "",
        reason: Annotated[Reason, Form()] = "",
        never_again: Annotated[bool, Form()] = False,
        back: Back = "",
        csrf: CsrfField = "",
        session: SessionCookie = "",
    ) -> Response:
        signed, is_ours = await signed_form(pages.use.people, session, csrf)
        wanted = read_back(back)
        if not is_ours:
            return await pages.render(signed, session, wanted, item=item_id, status_code=403, error=OLD_FORM)
        asked = PageAct(action, row_version, scan.inert(note).strip(), text, reason or None, never_again)
        try:
            done = await act_of_page(pages.use, pages.more, signed, item_id, asked)
        except ProblemError as refused:
            if refused.problem.status == 404:
                raise
            return await pages.render(signed, session, wanted, item=item_id, **refusal_shown(refused))
        where = f"{HOME}?done={done.status}" + (f"&{wanted.back}" if wanted.back else "")
        where += f"&act={done.act_id}" if done.act_id else ""
        where += f"&item={done.item_id}" if done.status == "pending" else ""
        return RedirectResponse(where, status_code=303)


def _row(text: str) -> BulkRow:
    id_, _, version = text.partition(":")
    try:
        return BulkRow(id=UUID(id_), row_version=int(version[:9]))
    except ValueError:
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, "a row of the form does not fit")) from None


def _agent(text: str) -> UUID | None:
    """The role-agent that a filter names. Raises ProblemError (404) for what names none."""
    found = uuid_of(text)
    if text and found is None:
        raise ProblemError(problem(ProblemCode.NOT_FOUND, 404, "there is no such role-agent"))
    return found
