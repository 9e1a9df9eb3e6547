"""Use cases: read the audit log, and take a copy of it (R299, D37, C95). A copy is itself on record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from dw_contracts.http.panel import AuditEvent, AuditPage
from dw_panel.adapters.cursors import read_place
from dw_panel.adapters.tables import csv_head, csv_line, json_line
from dw_panel.inbox import scope_of
from dw_panel.people import Signed
from dw_panel.views import audit_view
from dw_runtime import Handle, current_trace_id
from dw_store.audit import NewEvent, write_events
from dw_store.audit_reads import AuditFilter, audit_page, newest_place
from dw_store.database import Database
from dw_store.versions import raise_versions

EXPORT_PAGE: Final = 500
Form = Literal["jsonl", "csv"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events somebody asks for."""

    agent: UUID | None = None
    type: str = ""
    item: UUID | None = None
    actor: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def filter(self, agents: list[UUID] | None) -> AuditFilter:
        """The same, within what the reader may see."""
        return AuditFilter(agents, self.type, self.item, self.actor, self.since, self.until)

    def said(self) -> dict[str, str]:
        """What was asked for, for the record."""
        fields = ("agent", "type", "item", "actor", "since", "until")
        return {name: str(value) for name in fields if (value := getattr(self, name))}


class Audit:
    """Managers see events of their agents, and no text of what is sensitive; in a copy too."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def page(self, signed: Signed, wanted: Wanted, *, cursor: str, limit: int) -> AuditPage:
        """Learning events, newest first."""
        before = read_place(cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            scope = await scope_of(tx, signed, wanted.agent)
            rows = await audit_page(tx, signed.org_id, wanted.filter(scope), before, limit + 1)
        following = str(rows[limit - 1]["place"]) if len(rows) > limit else None
        events = tuple(audit_view(row, signed.person) for row in rows[:limit])
        return AuditPage(events=events, next_cursor=following)

    async def export(self, signed: Signed, wanted: Wanted, form: Form) -> AsyncIterator[bytes]:
        """The copy, in pieces. It is refused before its first piece, or on record before it: whoever takes one cannot
        hide that by hanging up. It holds what was there when it was asked for."""
        async with self._database().transaction([signed.org_id]) as tx:
            scope = await scope_of(tx, signed, wanted.agent)
            newest = await newest_place(tx, signed.org_id)
            versions = await raise_versions(tx, [(signed.org_id, wanted.agent)])
            await write_events(tx, [_exported(signed, wanted, form)], versions, self._clock())
        return self._pieces(signed, wanted.filter(scope), form, newest + 1)

    async def _pieces(
        self, signed: Signed, wanted: AuditFilter, form: Form, before: int
    ) -> AsyncIterator[bytes]:
        line = csv_line if form == "csv" else json_line
        if form == "csv":
            yield csv_head(tuple(AuditEvent.model_fields))
        while True:
            async with self._database().transaction([signed.org_id]) as tx:
                rows = await audit_page(tx, signed.org_id, wanted, before, EXPORT_PAGE)
            if rows:
                yield b"".join(line(audit_view(row, signed.person).model_dump(mode="json")) for row in rows)
            if len(rows) < EXPORT_PAGE:
                return
            before = rows[-1]["place"]


def _exported(signed: Signed, wanted: Wanted, form: Form) -> NewEvent:
    person = signed.person
    return NewEvent(
        org_id=signed.org_id,
        role_agent_id=wanted.agent,
        event_type="export_done",
        actor_type="user",
        actor_id=str(person.user_id),
        on_behalf_of=person.user_id,
        subject_type="audit",
        subject_id=signed.org_id,
        reason="audit export",
        after={"format": form, "role": person.role, **wanted.said()},
        trace_id=current_trace_id(),
    )
