"""PUT of layer session: a note that the run alone reads (C42, S3). Its rule is dw_learning.session_note."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dw_context.run_tokens import over
from dw_contracts.http.agent_memory import MemoryAnswer, PutMemory
from dw_learning.session_note import Keep, Note, Refuse, decide_note, judge_note, stored_key
from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_store.database import Database
from dw_store.runs import Run, is_live
from dw_store.session_notes import keep_note, read_notes, record_refused
from dw_store.versions import pack_version


@dataclass(frozen=True, slots=True)
class SessionNotes:
    """The use case: one transaction, which first asks whether the run is live."""

    database: Handle[Database]
    deadline: Deadline
    now: Callable[[], datetime]

    async def put(self, run: Run, body: PutMemory) -> MemoryAnswer:
        """Kept (200) or refused (422); nobody is asked."""
        note = Note(body.key, body.content, body.metadata)
        judged = await asyncio.to_thread(judge_note, note)
        return await self.deadline.run(self._put(run, note, judged))

    async def _put(self, run: Run, note: Note, judged: Keep | Refuse) -> MemoryAnswer:
        now = self.now()
        async with self.database().transaction([run.org_id]) as tx:
            if not await is_live(tx, run, now):
                raise over()
            notes = await read_notes(tx, run)
            others = notes.others(stored_key(run.run_id, note.key))
            decided = decide_note(judged, learning=notes.learning, others=others)
            version = await pack_version(tx, run.org_id, run.role_agent_id)
            if isinstance(decided, Keep):
                made = await keep_note(tx, run, note, decided, notes, now)
                return MemoryAnswer(status="stored", reason="session", memory_id=made, version=version)
            await record_refused(tx, run, decided, now)
        return MemoryAnswer(
            status="rejected", reason=decided.reason, explanation=decided.explanation, version=version
        )
