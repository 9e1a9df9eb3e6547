"""Use cases: a role-agent's memory out to files, and in again as one batch for a person's yes (R188 to R191, C82)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import orjson

from dw_contracts.http.memory_files import (
    ExportedMemory,
    ImportedEntry,
    ImportedMemories,
    ImportEntry,
    ImportMemories,
    MemoryExport,
)
from dw_contracts.http.problem import FieldError
from dw_learning import scan
from dw_learning.authority_acts import may_administer, may_read_memory
from dw_learning.decision.imports import KNOWN, NO_CAPS, OF_A_PERSON, batch_of, held, import_cases, told
from dw_learning.decision.plan import decide_all
from dw_learning.memory_files import MARKS, MAX_METADATA
from dw_learning.normal import content_hash
from dw_learning.scan import is_credential
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, conflict, denied, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store.audit import NewEvent, write_events
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent
from dw_store.item_acts import NewItem, propose_item
from dw_store.memory_files import export_page, hidden_count
from dw_store.memory_rows import Actor
from dw_store.policy_reads import load_for_decisions
from dw_store.versions import pack_version, raise_versions

EXPLANATION: Final = "Memory files that an admin imports: approved together, or not at all."


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Nothing goes out or in but by a person's own act (R189)."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def export(self, signed: Signed, agent: str, *, after: UUID | None, limit: int) -> MemoryExport:
        """One page for those who may read the Memory tab. The first one is on record: who takes a copy says so before."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent_id = await _agent(tx, signed, agent)
            admin = signed.person.is_admin
            rows = await export_page(
                tx, signed.org_id, agent_id, reads_all=admin, after=after, limit=limit + 1
            )
            if rows is None:
                raise conflict("the memory behind which to go on is gone: start the export again")
            hidden = 0 if admin else await hidden_count(tx, signed.org_id, agent_id)
            if after is None:
                versions = await raise_versions(tx, [(signed.org_id, agent_id)])
                await write_events(tx, [_exported(signed, agent_id)], versions, self.clock())
        shown = tuple(_entry(row) for row in rows[:limit])
        return MemoryExport(entries=shown, hidden=hidden, next=shown[-1].id if len(rows) > limit else None)

    async def bring(self, signed: Signed, agent: str, body: ImportMemories) -> ImportedMemories:
        """Every file goes through the one decision; what is proposed is one item. The same files again are known."""
        if may_administer(signed.person) != "allowed":
            raise denied("admins_only")
        for at, entry in enumerate(body.entries):
            _check_entry(at, entry)
        actor = Actor(signed.person.user_id, self.clock(), current_trace_id())
        async with self.database().transaction([signed.org_id]) as tx:
            return await self._bring(tx, signed, await _agent(tx, signed, agent), body.entries, actor)

    async def _bring(
        self, tx: Tx, signed: Signed, agent: UUID, entries: tuple[ImportEntry, ...], actor: Actor
    ) -> ImportedMemories:
        org_id = signed.org_id
        cases = import_cases(uuid.uuid4(), org_id, agent, entries, actor.at)
        loaded = await load_for_decisions(tx, [(one, case.event) for one, case in cases], NO_CAPS, actor.at)
        state = loaded.states[agent]
        state.caps = NO_CAPS
        before = held(state)
        of_persons = [entry.subject is not None for entry in entries]
        decided = decide_all(
            [pair for pair, personal in zip(cases, of_persons, strict=True) if not personal], loaded.states
        )
        plain = [entry for entry, personal in zip(entries, of_persons, strict=True) if not personal]
        answers = iter([told(entry, one, before) for entry, one in zip(plain, decided, strict=True)])
        results = tuple(
            _of_person(entry, (content_hash(entry.content), entry.subject) in state.memories_by_hash)
            if personal
            else next(answers)
            for entry, personal in zip(entries, of_persons, strict=True)
        )
        batch = batch_of(plain, decided, before)
        if batch is None:
            return ImportedMemories(results=results, version=await pack_version(tx, org_id, agent))
        item = NewItem(
            role_agent_id=agent,
            kind="memory_proposal",
            action="create",
            payload=batch.payload,
            risk=batch.risk,
            is_sensitive=batch.is_sensitive,
            reason_code="import",
            explanation=EXPLANATION,
            dedupe_key=batch.dedupe_key,
        )
        item_id, version = await propose_item(tx, org_id, item, actor)
        return ImportedMemories(results=results, item_id=item_id, version=version)


async def _agent(tx: Tx, signed: Signed, named: str) -> UUID:
    found = await find_agent(tx, signed.org_id, named)
    if found is None or not may_read_memory(signed.person, found["id"]):
        raise ProblemError(NO_SUCH_AGENT)
    agent: UUID = found["id"]
    return agent


def _check_entry(at: int, entry: ImportEntry) -> None:
    if is_credential(entry.file):
        wrong = FieldError(at=f"entries.{at}.file", problem="holds a secret")
        raise unfit("the name of a file holds a secret", (wrong,))
    place = f"entries.{at}.metadata"
    if len(orjson.dumps(entry.metadata)) > MAX_METADATA:
        wrong = FieldError(at=place, problem=f"is over {MAX_METADATA} bytes")
        raise unfit("metadata is too large", (wrong,))
    if MARKS & entry.metadata.keys():
        wrong = FieldError(at=place, problem="holds a mark that only we set")
        raise unfit("metadata holds a mark that only we set", (wrong,))


def _of_person(entry: ImportEntry, known: bool) -> ImportedEntry:
    if known:
        return ImportedEntry(file=entry.file, status="known", reason="duplicate", explanation=KNOWN)
    return ImportedEntry(file=entry.file, status="rejected", reason="about_a_person", explanation=OF_A_PERSON)


def _entry(row: Any) -> ExportedMemory:
    metadata = {name: value for name, value in row["metadata"].items() if name not in MARKS}
    fields = {**dict(row), "metadata": metadata}
    return ExportedMemory(**fields | {name: scan.inert(row[name]) for name in ("key", "content")})


def _exported(signed: Signed, agent: UUID) -> NewEvent:
    person = signed.person
    return NewEvent(
        org_id=signed.org_id,
        role_agent_id=agent,
        event_type="export_done",
        actor_type="user",
        actor_id=str(person.user_id),
        on_behalf_of=person.user_id,
        subject_type="memory",
        subject_id=agent,
        reason="memory export",
        after={"format": "files", "role": person.role},
        trace_id=current_trace_id(),
    )
