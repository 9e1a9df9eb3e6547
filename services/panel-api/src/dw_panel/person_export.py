"""Use case: a copy of what is held about a person (D59), by owners, on record before its first line."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import orjson

from dw_contracts.http.person_export import ExportPerson
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import may_erase
from dw_panel.people import Signed
from dw_panel.refusals import forbidden, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store.audit import by_user, write_events
from dw_store.database import Database
from dw_store.erasure import NoSuchPerson
from dw_store.memory_rows import Actor
from dw_store.person_export import KINDS, PAGE, Held, find_person, held_page, mentions_of, user_of
from dw_store.versions import raise_versions


class PersonExport:
    """The log says who took a copy of whose data and when, and none of it."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def export(self, signed: Signed, asked: ExportPerson) -> AsyncIterator[bytes]:
        """JSON, one object a line; the first says whose. 404 for somebody who never was a member."""
        if not may_erase(signed.person):
            raise forbidden("only owners export a person's data")
        if asked.user is None and not asked.code and not asked.accounts:
            raise unfit("nobody is named", (FieldError(at="user", problem="name a member, or accounts"),))
        accounts = [(a.platform.value, a.workspace_ref, a.external_user_id) for a in asked.accounts]
        actor = Actor(signed.person.user_id, self._clock(), current_trace_id())
        async with self._database().transaction([signed.org_id]) as tx:
            try:
                user = await user_of(tx, signed.org_id, asked.code) if asked.code else asked.user
                held = await find_person(tx, signed.org_id, user, accounts, asked.also_known_as)
            except NoSuchPerson:
                raise ProblemError(problem(ProblemCode.NOT_FOUND, 404, "there is no such member")) from None
            event = by_user(
                actor,
                org_id=signed.org_id,
                event_type="export_done",
                subject_type="user",
                subject_id=held.user_id,
                reason="person export",
                after={"accounts": len(held.accounts), "role": signed.person.role},
            )
            versions = await raise_versions(tx, [(signed.org_id, None)])
            await write_events(tx, [event], versions, actor.at)
        return self._lines(signed, held, actor.at)

    async def _lines(self, signed: Signed, held: Held, at: datetime) -> AsyncIterator[bytes]:
        async with self._database().transaction([signed.org_id]) as tx:
            mentions = await mentions_of(tx, signed.org_id, held)
        yield _line(
            {
                "kind": "person",
                "org": signed.org,
                "member": held.member,
                "mentioned_in_messages_of_others": mentions,
                "at": at,
            }
        )
        for kind, statement in KINDS:
            async for piece in self._of_kind(signed, held, kind, statement):
                yield piece

    async def _of_kind(
        self, signed: Signed, held: Held, kind: str, statement: LiteralString
    ) -> AsyncIterator[bytes]:
        after: UUID | None = None
        while True:
            async with self._database().transaction([signed.org_id]) as tx:
                rows = await held_page(tx, signed.org_id, held, statement, after)
            if rows:
                yield b"".join(_line({"kind": kind, **_shown(row)}) for row in rows)
            if len(rows) < PAGE:
                return
            after = rows[-1]["id"]


def _line(row: Mapping[str, Any]) -> bytes:
    return orjson.dumps(row, default=str, option=orjson.OPT_APPEND_NEWLINE)  # the driver's ids are its own


def _shown(row: Any) -> dict[str, Any]:
    """Harmless, and without a secret that an older scan may have let through."""
    return {name: _clean(value) if isinstance(value, str) else value for name, value in dict(row).items()}


def _clean(text: str) -> str:
    return scan.inert(scan.redact(text, scan.scan_secrets(text)))
