"""The memory API of an agent at work (S3): it reads what it knows, and proposes what to keep or drop (C2, C60)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_context.run_tokens import over
from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import Detection
from dw_contracts.http.agent_memory import (
    MAX_DELETIONS,
    MemoryAnswer,
    MemoryEntry,
    MemoryPage,
    MemorySummary,
    PutMemory,
)
from dw_contracts.http.problem import ProblemCode
from dw_learning.agent_put import (
    Put,
    PutOutcome,
    decided_delete,
    delete_decision_id,
    outcome_of,
    put_decision_id,
    put_detection,
    unknown_event,
    without_secrets,
)
from dw_learning.decision.case import Case
from dw_learning.decision.facts import Caps
from dw_learning.decision.plan import decide_all
from dw_learning.item_edit import assess
from dw_learning.normal import content_hash
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_runtime.problems import refusal
from dw_store.agent_memory import Wanted, delete_own, list_memory, lock_target, summarise
from dw_store.apply import apply_decisions
from dw_store.database import Database, Tx
from dw_store.inbox import claim_new
from dw_store.policy_reads import Loaded, load_for_decisions, memory_facts
from dw_store.runs import Run, count_deletion, event_of, is_live
from dw_store.versions import pack_version

CONSUMER = "agent_put"
SUMMARY_ENTRIES = 20


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """The use cases. Each is one transaction that first asks whether the run is live."""

    database: Handle[Database]
    deadline: Deadline
    pepper: str
    caps: Caps
    now: Callable[[], datetime]

    async def entries(self, run: Run, wanted: Wanted) -> MemoryPage:
        """One page of active entries."""
        return await self.deadline.run(self._entries(run, wanted))

    async def summary(self, run: Run) -> MemorySummary:
        """R174: what a session starts with."""
        return await self.deadline.run(self._summary(run))

    async def put(self, run: Run, body: PutMemory) -> MemoryAnswer:
        """One candidate through the one decision. The same PUT again has no second effect."""
        # The first one loads the rules' models, which takes a second: not on the loop, where packs would wait for it.
        await asyncio.to_thread(assess, body.content)
        return await self.deadline.run(self._put(run, body))

    async def delete(self, run: Run, memory_id: UUID) -> MemoryAnswer:
        """At once only what the agent wrote itself, asked for by a verified person; else an archive proposal."""
        return await self.deadline.run(self._delete(run, memory_id))

    @asynccontextmanager
    async def _live(self, run: Run) -> AsyncIterator[Tx]:
        async with self.database().transaction([run.org_id]) as tx:
            if not await is_live(tx, run, self.now()):
                raise over()
            yield tx

    async def _entries(self, run: Run, wanted: Wanted) -> MemoryPage:
        async with self._live(run) as tx:
            rows = await list_memory(tx, run, replace(wanted, limit=wanted.limit + 1), self.now())
        shown = tuple(_entry(row) for row in rows[: wanted.limit])
        return MemoryPage(entries=shown, next=shown[-1].id if len(rows) > wanted.limit else None)

    async def _summary(self, run: Run) -> MemorySummary:
        async with self._live(run) as tx:
            operating, knowledge, version = await summarise(tx, run, SUMMARY_ENTRIES, self.now())
        return MemorySummary(
            operating=tuple(_entry(row) for row in operating),
            knowledge=tuple(_entry(row) for row in knowledge),
            version=version,
        )

    async def _put(self, run: Run, body: PutMemory) -> MemoryAnswer:
        # Notes of a run go another way (session_notes).
        put = Put(
            body.key,
            body.content,
            "operating" if body.layer == "operating" else "knowledge",
            body.memory_type,
            body.metadata,
        )
        async with self._live(run) as tx:
            event, sealed = await self._event(tx, run)
            decision_id = put_decision_id(run.run_id, put, self.pepper)
            put, event = without_secrets(put, event)
            detection = put_detection(decision_id, event, put)
            loaded, case = await self._case(tx, run, detection, event, sealed)
            (decided,) = decide_all([(detection, replace(case, metadata=put.metadata))], loaded.states)
            outcome = outcome_of(decided.effects)
            if outcome.reason == "duplicate":
                outcome = replace(outcome, memory_id=_known_as(put, run, loaded))
            if await claim_new(tx, CONSUMER, [(run.org_id, detection.decision_id)]):
                await apply_decisions(tx, [decided], {}, self.now())
            elif (
                decided.effects[0].made is not None
            ):  # it was done before, and undone since: once is enough (C104)
                outcome = PutOutcome("rejected", "decided_before", "This run asked for just this before.")
            return await _answer(tx, run, outcome)

    async def _delete(self, run: Run, memory_id: UUID) -> MemoryAnswer:
        async with self._live(run) as tx:
            event, sealed = await self._event(tx, run)
            detection = put_detection(delete_decision_id(run.run_id, memory_id), event, None)
            loaded, case = await self._case(tx, run, detection, event, sealed)
            target = await lock_target(tx, run, memory_id)
            if target is None:
                raise refusal(ProblemCode.NOT_FOUND, 404, "this role-agent has no such active entry")
            if not await count_deletion(tx, run, MAX_DELETIONS):
                raise refusal(ProblemCode.RATE_LIMITED, 429, f"a run deletes at most {MAX_DELETIONS} entries")
            if _may_delete(run, case, target):
                user = case.sender.user_id if case.sender_verified else None
                version = await delete_own(tx, run, memory_id, user, self.now())
                return MemoryAnswer(status="deleted", reason="", memory_id=memory_id, version=version)
            decided = decided_delete(
                detection, case, loaded.states[run.role_agent_id], memory_facts(target), target["memory_type"]
            )
            if await claim_new(tx, CONSUMER, [(run.org_id, detection.decision_id)]):
                await apply_decisions(tx, [decided], {}, self.now())
            return await _answer(tx, run, outcome_of(decided.effects))

    async def _event(self, tx: Tx, run: Run) -> tuple[ChatEvent, bool]:
        known = await event_of(tx, run)
        if known is not None:
            return known
        return unknown_event(
            event_id=run.event_id or run.run_id,
            org_id=run.org_id,
            role_agent_id=run.role_agent_id,
            channel_id=run.channel_id,
            run_id=run.run_id,
            now=self.now(),
        ), False

    async def _case(
        self, tx: Tx, run: Run, detection: Detection, event: ChatEvent, sealed: bool
    ) -> tuple[Loaded, Case]:
        """Locks the role-agent: decisions of a message and of a PUT stand in one order."""
        loaded: Loaded = await load_for_decisions(tx, [(detection, event)], self.caps, self.now())
        return loaded, Case(
            event=event,
            sealed=sealed,
            sender=loaded.sender_of(event),
            channel=loaded.channel_of(event),
            items=detection.items,
            put_by=run.run_id,
        )


def _known_as(put: Put, run: Run, loaded: Loaded) -> UUID | None:
    wanted = content_hash(put.content)
    known = loaded.states[run.role_agent_id].memories_by_hash
    return next((memory.memory_id for (hashed, _), memory in known.items() if hashed == wanted), None)


def _may_delete(run: Run, case: Case, target: Any) -> bool:
    if target["layer"] == "session":
        return bool(target["source_session"] == str(run.run_id))
    return bool(target["own_put"]) and case.sender_verified


async def _answer(tx: Tx, run: Run, outcome: PutOutcome) -> MemoryAnswer:
    return MemoryAnswer(
        status=outcome.status,
        reason=outcome.reason,
        explanation=outcome.explanation,
        memory_id=outcome.memory_id,
        item_id=outcome.item_id,
        version=await pack_version(tx, run.org_id, run.role_agent_id),
    )


def _entry(row: Any) -> MemoryEntry:
    return MemoryEntry.model_validate(dict(row))
