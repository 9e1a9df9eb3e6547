"""The agent's client on a real context service: what an entry carries, and whose entries it can touch (R24, R187)."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from dw_client import AgentClient, Refused, RuntimeClient
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
