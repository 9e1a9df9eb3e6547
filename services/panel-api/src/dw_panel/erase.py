"""Use cases: erase a person (owners), purge a memory (admins). C8, C72."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from dw_contracts.http.erasure import ErasedPerson, ErasePerson, PurgedMemory, PurgeMemory
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_learning.authority import may_erase, may_purge
from dw_panel.people import Signed
from dw_panel.refusals import conflict, forbidden, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store.database import Database
from dw_store.erasure import (
    Erased,
    Eraser,
    NoSuchMemory,
    NoSuchPerson,
    NotPurgeable,
    Person,
    erase_person,
    purge_memory,
)
from dw_store.orgs.conflicts import LastOwner


class _Rehearsed(Exception):
    """Carries what a dry run found out of its transaction, which is rolled back."""

    def __init__(self, erased: Erased) -> None:
        super().__init__("dry run")
        self.erased = erased


class Erase:
    """Each is one transaction, and one event that says by whom and how much, never what."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def person(self, signed: Signed, request: ErasePerson) -> ErasedPerson:
        """Owners alone. 404 for somebody who never was a member, 409 for the last owner."""
        if not may_erase(signed.person):
            raise forbidden("only owners erase a person")
        if request.user is None and not request.accounts:
            raise unfit("nobody is named", (FieldError(at="user", problem="name a member, or accounts"),))
        accounts = [(a.platform.value, a.workspace_ref, a.external_user_id) for a in request.accounts]
        person = Person(request.user, accounts, request.also_known_as)
        by = Eraser(signed.person.user_id, current_trace_id())
        try:
            async with self._database().transaction([signed.org_id]) as tx:
                erased = await erase_person(tx, signed.org_id, person, by, self._clock())
                if request.dry_run:
                    raise _Rehearsed(erased)
        except _Rehearsed as rehearsed:
            erased = rehearsed.erased
        except NoSuchPerson:
            raise ProblemError(problem(ProblemCode.NOT_FOUND, 404, "there is no such member")) from None
        except LastOwner:
            raise conflict("the org would be left without an active owner") from None
        return ErasedPerson(
            dry_run=request.dry_run, changed=erased.changed, counts=erased.counts, version=erased.version
        )

    async def memory(self, signed: Signed, memory_id: UUID, request: PurgeMemory) -> PurgedMemory:
        """Admins and owners. What is active is deleted or archived first: a purge has no way back."""
        if not may_purge(signed.person):
            raise forbidden("only admins and owners purge a memory")
        by = Eraser(signed.person.user_id, current_trace_id())
        try:
            async with self._database().transaction([signed.org_id]) as tx:
                purged = await purge_memory(
                    tx, signed.org_id, memory_id, request.row_version, request.reason, by, self._clock()
                )
        except NoSuchMemory:
            raise ProblemError(problem(ProblemCode.NOT_FOUND, 404, "there is no such memory")) from None
        except NotPurgeable as why:
            raise conflict(str(why)) from None
        return PurgedMemory(memory_id=memory_id, changed=purged.changed, version=purged.version)
