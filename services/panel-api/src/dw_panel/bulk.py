"""Use case: one act on many items (D23). Each row is a decision of its own, with its own outcome; none is sensitive."""

from __future__ import annotations

from dw_contracts.http.learning import AssignItem, BulkAct, BulkDone, BulkResult, BulkRow
from dw_contracts.http.panel import DecideItem
from dw_panel.decide import Decide
from dw_panel.inbox import Inbox
from dw_panel.item_acts import ItemActs
from dw_panel.people import Signed
from dw_panel.refusals import unfit
from dw_runtime import ProblemError


class Bulk:
    """Rows are done one after the other: what one changes, the next one sees."""

    def __init__(self, inbox: Inbox, decide: Decide, acts: ItemActs) -> None:
        self._inbox = inbox
        self._decide = decide
        self._acts = acts

    async def run(self, signed: Signed, body: BulkAct) -> BulkDone:
        """The results in the order of the request."""
        if len({row.id for row in body.items}) != len(body.items):
            raise unfit("an item is named twice")
        results: list[BulkResult] = []
        version = 0
        for row in body.items:
            try:
                result, seen = await self._one(signed, body, row)
            except ProblemError as refused:
                found = refused.problem
                result, seen = BulkResult(id=row.id, status=found.status, detail=found.detail), 0
            results.append(result)
            version = max(version, seen)
        return BulkDone(results=tuple(results), version=version)

    async def _one(self, signed: Signed, body: BulkAct, row: BulkRow) -> tuple[BulkResult, int]:
        item = await self._inbox.item(signed, row.id)
        if item.is_sensitive or item.risk == "sensitive":
            detail = "sensitive items are decided one by one"
            return BulkResult(id=row.id, status=422, detail=detail), 0
        if body.action == "reassign":
            moved = await self._acts.assign(signed, row.id, AssignItem(to=body.to))
            return BulkResult(id=row.id, status=200), moved.version
        decision = DecideItem(action=body.action, row_version=row.row_version, note=body.note)
        decided = await self._decide.run(signed, row.id, decision)
        return BulkResult(id=row.id, status=200, act_id=decided.act_id), decided.version
