"""Use cases: what calls to models cost, call by call, and a copy of it (G21). For admins and owners."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from dw_contracts.http.gate import LedgerCall, LedgerPage
from dw_learning.authority import may_change_org
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.adapters.tables import csv_head, csv_line, json_line
from dw_panel.people import Signed
from dw_panel.refusals import forbidden
from dw_runtime import Handle, current_trace_id
from dw_store.audit import by_user, record
from dw_store.database import Database
from dw_store.ledger import Before, ledger_page

Form = Literal["jsonl", "csv"]
EXPORT_PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Calls:
    """Which ones."""

    feature: str
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class _Reader:
    user_id: UUID
    trace_id: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Rows are there from the moment a call is reserved."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def page(self, signed: Signed, wanted: Calls, *, cursor: str, limit: int) -> LedgerPage:
        """One page, the latest call first."""
        _admins_only(signed)
        calls = await self._calls(signed, wanted, read_cursor(cursor), limit + 1)
        last = calls[limit - 1] if len(calls) > limit else None
        following = write_cursor(last.at, last.call_id) if last is not None else None
        return LedgerPage(calls=tuple(calls[:limit]), next_cursor=following)

    async def export(self, signed: Signed, wanted: Calls, form: Form) -> AsyncIterator[bytes]:
        """The copy, in pieces, of what was there when it was asked for. On record before its first piece."""
        _admins_only(signed)
        now = self.clock()
        reader = _Reader(signed.person.user_id, current_trace_id())
        event = by_user(
            reader,
            org_id=signed.org_id,
            event_type="export_done",
            subject_type="gate",
            subject_id=signed.org_id,
            reason="ledger export",
            after={
                "format": form,
                "role": signed.person.role,
                "feature": wanted.feature,
                "since": wanted.since.isoformat() if wanted.since else None,
                "until": wanted.until.isoformat() if wanted.until else None,
            },
        )
        async with self.database().transaction([signed.org_id]) as tx:
            await record(tx, event, now)
        until = min(wanted.until, now) if wanted.until else now
        return self._pieces(signed, Calls(wanted.feature, wanted.since, until), form)

    async def _pieces(self, signed: Signed, wanted: Calls, form: Form) -> AsyncIterator[bytes]:
        line = csv_line if form == "csv" else json_line
        if form == "csv":
            yield csv_head(tuple(LedgerCall.model_fields))
        before: Before | None = None
        while True:
            calls = await self._calls(signed, wanted, before, EXPORT_PAGE)
            if calls:
                yield b"".join(line(call.model_dump(mode="json")) for call in calls)
            if len(calls) < EXPORT_PAGE:
                return
            before = (calls[-1].at, calls[-1].call_id)

    async def _calls(
        self, signed: Signed, wanted: Calls, before: Before | None, limit: int
    ) -> list[LedgerCall]:
        async with self.database().transaction([signed.org_id]) as tx:
            rows = await ledger_page(
                tx,
                signed.org_id,
                feature=wanted.feature,
                since=wanted.since,
                until=wanted.until,
                before=before,
                limit=limit,
            )
        return [LedgerCall.model_validate(row) for row in rows]


def _admins_only(signed: Signed) -> None:
    if not may_change_org(signed.person):
        raise forbidden("only admins and owners see what was spent")
