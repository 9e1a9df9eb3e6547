"""What waits for a limit, run by the process that has it in hand (C77): agents apart, and given back at the end."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import psycopg
import pytest

from dw_contracts.events.candidates import Candidate
from dw_detector.asking import AnswerWriter, Asking
from dw_detector.detect import Answer, Question
from dw_detector.parked import Parked
from dw_runtime import Handle, Outgoing
from dw_store.database import Database
from dw_store.deferred import Hindrance, NewDeferred, park
from dw_store.gate import Budget
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg

pytestmark = pytest.mark.integration
AT = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
DsnOf = Callable[[str], str]


class Hangs:
    """A provider that never answers what is asked of some agents, and teaches nothing."""

    def __init__(self) -> None:
        self.over: set[uuid.UUID] = set()
        self.hanging = asyncio.Event()
        self.asked: list[uuid.UUID] = []

    async def detect(self, question: Question) -> Answer:
        assert question.caller is not None
        self.asked.append(question.caller.decision_id)
        if question.caller.role_agent_id in self.over:
            self.hanging.set()
            await asyncio.Event().wait()
        return Answer(items=(), provider="p", model="m", prompt_version="1")


async def wait(database: Handle[Database], org: SmallOrg, agent: uuid.UUID, count: int) -> list[uuid.UUID]:
    """Parked, and free to go on; their decision ids."""
    rows = []
    for number in range(count):
        event = chat_event(org.org_id, agent, org.channel_id, f"The room {number} is called Velo.")
        candidate = Candidate(
            schema_version=1,
            event=orjson.loads(event.to_bytes()),
            needs_model=True,
            reasons=("fact_shape",),
            triage_version="t",
        )
        rows.append(
            NewDeferred(
                org.org_id,
                agent,
                event.event_id,
                candidate.to_bytes(),
                "",
                AT,
                Hindrance("behind", AT),
                AT + timedelta(hours=48),
            )
        )
    await park(database(), rows)
    return [row.decision_id for row in rows]


async def test_an_agent_that_takes_long_keeps_no_other_one_and_is_given_back_when_the_process_ends(
    database: Handle[Database], org: SmallOrg, dsn_of: DsnOf
) -> None:
    provider, slow = Hangs(), uuid.uuid4()
    provider.over = {slow}
    hanging = await wait(database, org, slow, 2)
    published: list[dict[str, Any]] = []
    done = asyncio.Event()

    async def publish(outgoing: Sequence[Outgoing]) -> None:
        published.extend(orjson.loads(each.value) for each in outgoing)
        if len(published) == 20:
            done.set()

    asking = Asking(provider, database, AnswerWriter(database), lambda: AT)
    parked = Parked(asking, database, publish, lambda: AT, Budget(None, None), seconds=0.05)
    running = asyncio.ensure_future(parked.run())
    await provider.hanging.wait()
    others = await wait(database, org, org.agent_id, 20)
    await done.wait()
    assert [each["decision_id"] for each in published] == [str(id_) for id_ in others], "in order"
    assert provider.asked.count(hanging[0]) == 1
    assert hanging[1] not in provider.asked, "behind the first"
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    with psycopg.connect(dsn_of("admin")) as connection:
        left = connection.execute(
            "SELECT decision_id, claimed_until FROM dw_deferred WHERE role_agent_id = %s ORDER BY place",
            (slow,),
        )
        assert left.fetchall() == [(id_, None) for id_ in hanging], "the next process has them at once"
