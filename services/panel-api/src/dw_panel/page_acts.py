"""What a form of the inbox asks for, as the use case that does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from dw_contracts.http.learning import ConvertItem, EditItem, MarkItem, RejectReason
from dw_contracts.http.panel import DecideItem
from dw_panel.page_view import text_for_edit
from dw_panel.people import Signed
from dw_panel.routes.api import UseCases
from dw_panel.routes.uses import LearningUses

PageAction = Literal[
    "approve", "reject", "edit", "claim", "release", "mark_sensitive", "unmark_sensitive", "convert"
]


@dataclass(frozen=True, slots=True)
class PageAct:
    """The fields of the form."""

    action: PageAction
    row_version: int
    note: str
    text: str
    reason: RejectReason | None
    never_again: bool


@dataclass(frozen=True, slots=True)
class PageDone:
    """What the next page says. `item_id` is the item to show where it waits on."""

    status: str
    item_id: UUID
    act_id: UUID | None = None


async def act_of_page(
    use: UseCases, more: LearningUses, signed: Signed, item_id: UUID, asked: PageAct
) -> PageDone:
    """The field always comes with the form: a text that is the one shown is no edit."""
    match asked.action:
        case "approve" | "reject":
            return await _decide(use, signed, item_id, asked, asked.action)
        case "edit":
            shown = await use.inbox.item(signed, item_id)
            if _plain(asked.text) == _plain(text_for_edit(shown)) and not shown.out_of_date:
                return PageDone("pending", item_id)
            body = EditItem(row_version=asked.row_version, text=_plain(asked.text) or " ")
            done = await more.items.edit(signed, item_id, body)
        case "mark_sensitive" | "unmark_sensitive":
            mark = MarkItem(row_version=asked.row_version, is_sensitive=asked.action == "mark_sensitive")
            done = await more.items.mark(signed, item_id, mark)
        case "convert":
            done = await more.items.convert(signed, item_id, ConvertItem(row_version=asked.row_version))
        case "claim":
            done = await more.items.claim(signed, item_id)
        case "release":
            done = await more.items.release(signed, item_id)
    return PageDone("pending", done.item_id or item_id)


async def _decide(
    use: UseCases, signed: Signed, item_id: UUID, asked: PageAct, action: Literal["approve", "reject"]
) -> PageDone:
    text = ""
    if action == "approve" and asked.text:
        shown = text_for_edit(await use.inbox.item(signed, item_id))
        text = "" if _plain(asked.text) == _plain(shown) else _plain(asked.text)
    decision = DecideItem(
        action=action,
        row_version=asked.row_version,
        note=asked.note,
        text=text,
        never_again=asked.never_again and action == "reject",
        reason=asked.reason if action == "reject" else None,
    )
    decided = await use.decide.run(signed, item_id, decision)
    return PageDone(decided.item.status, decided.item.id, decided.act_id)


def _plain(text: str) -> str:
    """A form's lines end in its own way."""
    return text.replace("\r\n", "\n").strip()
