"""The agent's client on a real context service: what an entry carries, and whose entries it can touch (R24, R187)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from dw_client import AgentClient, BlockingAgentClient, BlockingRuntimeClient, Refused, RuntimeClient
from dw_contracts.events.chat import ChatEvent
from dw_contracts.http.agent_memory import PutMemory, StartRun
from dw_testkit.serving import ContextService, DsnOf, serving_context

pytestmark = pytest.mark.integration
SAID = "The Lisbon office closes at 18:00 on Fridays."
LATER = "The Lisbon office closes at 16:00 on Fridays."
ROWS = "SELECT id, role_agent_id, content, status, row_version FROM dw_agent_memories ORDER BY id"


@pytest.fixture
async def context(dsn_of: DsnOf) -> AsyncIterator[ContextService]:
    async with serving_context(dsn_of) as service:
        yield service


async def agent_for(context: ContextService, event: ChatEvent) -> AgentClient:
    async with RuntimeClient(context.url, context.key) as runtime:
        asked = StartRun(role_agent="it_agent", channel="helpdesk", event_id=event.event_id)
        return AgentClient(context.url, await runtime.start_run(asked))


async def test_an_entry_has_content_free_json_and_the_times_of_its_making_and_last_change(
    context: ContextService,
) -> None:
    before = datetime.now(UTC) - timedelta(seconds=5)
    metadata = {"topic": "offices", "floors": [1, 2], "deep": {"a": None}}
    async with await agent_for(context, await context.said(SAID)) as agent:
        await agent.put(PutMemory(key="hours", content=SAID, metadata=metadata))
        (entry,) = (await agent.memory(key="hours")).entries
        assert (entry.content, entry.metadata) == (SAID, metadata)
        assert before < entry.created_at <= entry.updated_at < before + timedelta(minutes=5)
    async with await agent_for(context, await context.said(LATER)) as agent:
        await agent.put(PutMemory(key="hours", content=LATER, metadata={"topic": "hours"}))
        (changed,) = (await agent.memory(key="hours")).entries
    assert (changed.content, changed.metadata) == (LATER, {"topic": "hours"})
    assert changed.created_at > entry.created_at


async def test_a_deletion_of_another_agents_entry_changes_nothing(context: ContextService) -> None:
    """R24: by its id, and by the address of its owner."""
    other, theirs = uuid.uuid4(), uuid.uuid4()
    context.query(
        "INSERT INTO dw_role_agents (id, org_id, code, name, soul_id)"
        " SELECT %s, org_id, 'hr_agent', 'HR Agent', soul_id FROM dw_role_agents WHERE id = %s",
        other,
        context.org.agent_id,
    )
    async with await agent_for(context, await context.said(SAID)) as agent:
        own = await agent.put(PutMemory(key="hours", content=SAID))
        context.query(
            "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, layer, key,"
            " content, content_hash, risk, confidence, source_kind, source_refs, origin, created_by, source_session)"
            " SELECT %s, org_id, %s, scope, memory_type, category, layer, key, content, content_hash, risk, confidence,"
            " source_kind, source_refs, origin, created_by, source_session FROM dw_agent_memories WHERE id = %s",
            theirs,
            other,
            own.memory_id,
        )
        rows = context.query(ROWS)
        with pytest.raises(Refused) as refused:
            await agent.delete(theirs)
        assert refused.value.problem.status == 404
        agent._memory = f"/v1/agents/{other}/memory"
        with pytest.raises(Refused) as refused:
            await agent.delete(theirs)
        assert refused.value.problem.status == 403
    assert context.query(ROWS) == rows
    assert context.query("SELECT count(*) FROM dw_learning_items") == [(0,)]


async def test_notes_are_the_runs_own_and_the_same_key_replaces_one(context: ContextService) -> None:
    async with await agent_for(context, await context.said(SAID)) as agent:
        assert (await agent.note("step", "Asked for the cable.", metadata={"n": 1})).status == "stored"
        assert (await agent.note("step", "The cable came.")).status == "stored"
        (note,) = (await agent.notes()).entries
        assert (note.layer, note.content, note.metadata) == ("session", "The cable came.", {})
        assert (await agent.notes(key="other")).entries == ()
    async with await agent_for(context, await context.said(LATER)) as other:
        assert (await other.notes()).entries == ()


async def test_a_run_searches_from_its_own_place_and_reports_what_it_used(context: ContextService) -> None:
    event = await context.said(SAID)
    await context.said("Der Drucker steht im zweiten Stock.")
    async with await agent_for(context, event) as agent:
        found = await agent.search("printer floor", phrasings=["Drucker Stock"], limit=3, neighbours=0)
        assert [hit.text for hit in found.hits] == ["Der Drucker steht im zweiten Stock."]
        kept = (await agent.put(PutMemory(key="hours", content=SAID))).memory_id
        assert kept is not None
        assert (await agent.report([kept])).counted == 1
        ended = await agent.report([kept], status="succeeded")
        assert (ended.counted, ended.status) == (0, "succeeded")
        with pytest.raises(Refused) as refused:
            await agent.summary()
        assert refused.value.problem.status == 401
    assert context.query("SELECT use_count FROM dw_agent_memories") == [(1,)]


async def test_the_blocking_clients_do_it_all_on_a_real_server(context: ContextService) -> None:
    event = await context.said(SAID)

    def work() -> tuple[str, list[str], list[str], int]:
        with BlockingRuntimeClient(context.url, context.key) as runtime:
            run = runtime.start_run(
                StartRun(role_agent="it_agent", channel="helpdesk", event_id=event.event_id)
            )
        with BlockingAgentClient(context.url, run) as agent:
            answer = agent.put(PutMemory(key="hours", content=SAID))
            agent.note("step", "Looked it up.")
            notes = [entry.content for entry in agent.notes().entries]
            hits = [hit.text for hit in agent.search("Lisbon office").hits]
            assert answer.memory_id is not None
            return answer.status, notes, hits, agent.report([answer.memory_id], status="succeeded").counted

    assert await asyncio.to_thread(work) == ("stored", ["Looked it up."], [SAID], 1)
