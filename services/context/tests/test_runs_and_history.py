"""What a pack is for and brings along: its run, its prompt, the newest messages where asked (R154, R155, R166, R172,
R176, R177, R207, C80)."""

from __future__ import annotations

import asyncio
import uuid
from datetime import timedelta
from typing import Any

import pytest

from dw_contracts.http.context import ContextPack
from dw_learning.history_tokens import tsvector_literal
from dw_learning.pack_prompt import CURRENT
from dw_store.database import Database
from dw_store.history import HistoryRow, write_history
from dw_testkit.events import chat_event
from services.context.tests.test_agent_memory import DsnOf, World, bearer, world
from services.context.tests.test_routes import skill_for

__all__ = ["world"]
pytestmark = pytest.mark.integration
ASKED = {"role_agent": "it_agent", "channel": "helpdesk"}
PACKS = (
    "SELECT run_id, prompt_version, skill_refs, soul_version, history_refs, memory_ids FROM dw_context_packs"
    " ORDER BY built_at"
)


async def pack(world: World, **more: Any) -> ContextPack:
    answer = await world.client.post("/v1/context", json=ASKED | more, headers=world.key)
    assert answer.status_code == 200, answer.text
    return ContextPack.model_validate_json(answer.content)


async def recorded(world: World, count: int) -> list[tuple[Any, ...]]:
    for _ in range(60):
        rows = world.query(PACKS)
        if len(rows) >= count:
            break
        await asyncio.sleep(0.05)
    assert len(rows) == count
    return rows


async def conversation(world: World, count: int, channel: uuid.UUID | None = None) -> list[uuid.UUID]:
    """So many messages, a minute apart; their ids, oldest first."""
    rows = []
    for number in range(count):
        first = chat_event(
            world.org.org_id,
            world.org.agent_id,
            channel or world.org.channel_id,
            f"Message number {number}.",
        )
        at = first.occurred_at + timedelta(minutes=number)
        update = {
            "event_id": uuid.uuid4(),
            "message_ref": uuid.uuid4().hex,
            "occurred_at": at,
            "received_at": at,
        }
        event = first.model_copy(update=update)
        rows.append(HistoryRow(event, True, tsvector_literal(event.text, world.org.agent_id)))
    async with (
        Database.connect(world.dsn_of("context"), size=1, application_name="test") as database,
        database.transaction([world.org.org_id]) as tx,
    ):
        assert await write_history(tx, rows) == []
    return [row.event.event_id for row in rows]


async def test_the_record_of_a_run_names_its_packs_the_skills_version_and_the_prompt(
    world: World, dsn_of: DsnOf
) -> None:
    skill_for(dsn_of("admin"), world.org, "order-toner")
    run = await world.run_about()
    given = await pack(world, message="/order-toner please", run_id=run["run_id"])
    assert given.prompt_version == CURRENT.version
    ((run_id, prompt, skills, soul, history, _),) = await recorded(world, 1)
    assert (str(run_id), prompt, soul, history) == (run["run_id"], CURRENT.version, 1, [])
    assert skills == [{"name": "order-toner", "version": 1}]


async def test_a_run_that_is_none_of_the_agents_is_not_taken_down(world: World, dsn_of: DsnOf) -> None:
    """It is named by whoever asks: the pack is given, the record says nothing false."""
    run = await world.run_about()
    world.query("UPDATE dw_runs SET role_agent_id = %s", other_agent(world))
    await pack(world, run_id=run["run_id"])
    await pack(world, run_id=str(uuid.uuid4()))
    assert [row[0] for row in await recorded(world, 2)] == [None, None]


def other_agent(world: World) -> uuid.UUID:
    made = uuid.uuid4()
    world.query(
        "INSERT INTO dw_role_agents (id, org_id, code, name) VALUES (%s, %s, 'other', 'Other')",
        made,
        world.org.org_id,
    )
    return made


async def test_there_is_no_history_in_a_pack_unless_it_was_asked_for(world: World) -> None:
    await conversation(world, 3)
    for message in ("", "what did we say about message number 1?"):
        given = await pack(world, message=message)
        assert given.history == ()
        assert "history" not in given.blocks
        assert "Message number" not in str(given.blocks)


async def test_of_a_long_conversation_the_newest_messages_come_in_their_order(world: World) -> None:
    ids = await conversation(world, 501)
    given = await pack(world, recent=20)
    assert [message.event_id for message in given.history] == ids[-20:]
    lines = given.blocks["history"].splitlines()
    assert lines[:2] == [CURRENT.history_policy, CURRENT.history_open]
    assert len(lines) == 23
    assert lines[-2].endswith("«Message number 500.»")
    (row,) = await recorded(world, 1)
    assert row[4] == [str(event) for event in ids[-20:]]
    assert (await pack(world)).history == ()


async def test_deleted_and_foreign_messages_are_not_among_the_newest(world: World) -> None:
    elsewhere = uuid.uuid4()
    world.query(
        "INSERT INTO dw_channels (id, org_id, code, platform, external_channel_ref, role_agent_id)"
        " VALUES (%s, %s, 'lisbon', 'slack', 'C-LISBON', %s)",
        elsewhere,
        world.org.org_id,
        world.org.agent_id,
    )
    world.query(
        "INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id) VALUES (%s, %s, %s)",
        world.org.org_id,
        elsewhere,
        world.org.agent_id,
    )
    ids = await conversation(world, 4)
    await conversation(world, 4, elsewhere)
    world.query("UPDATE dw_chat_events SET current = FALSE WHERE id = %s", ids[3])
    world.query("UPDATE dw_chat_events SET sealed = FALSE WHERE id = %s", ids[2])
    assert [message.event_id for message in (await pack(world, recent=50)).history] == ids[:2]


async def test_what_was_said_long_ago_is_known_from_memory(world: World) -> None:
    """R177: the message is out of reach of the newest fifty, the fact that it taught is in every pack."""
    fact = "The Lisbon office closes at 18:00 on Fridays."
    stored = await world.put(await world.run_about(fact), fact, "lisbon hours")
    assert stored.status_code == 200
    await conversation(world, 501)
    later = await pack(world, recent=50, at_least_version=stored.json()["version"])
    assert "Lisbon" not in str(later.history)
    assert [memory.text for memory in later.memories] == [fact]


async def report(world: World, run: dict[str, Any], **body: Any) -> Any:
    return await world.client.post(f"/v1/runs/{run['run_id']}/report", json=body, headers=bearer(run))


async def test_use_is_counted_once_a_run_and_orders_the_next_load(world: World) -> None:
    used, other = world.remember("The printer is Oak."), world.remember("The gateway is Atlas.")
    run = await world.run_about()
    foreign = str(uuid.uuid4())
    for counted in (1, 0):
        answer = await report(world, run, used=[used, used, foreign])
        assert (answer.status_code, answer.json()["counted"]) == (200, counted)
    second = await world.run_about()
    assert (await report(world, second, used=[used])).json()["counted"] == 1
    counts = dict(world.query("SELECT id::text, use_count FROM dw_agent_memories"))
    assert counts == {used: 2, other: 0}
    assert world.query("SELECT row_version FROM dw_agent_memories WHERE id = %s", used) == [(1,)]


async def test_a_run_that_reports_its_end_is_over_and_its_token_opens_nothing(world: World) -> None:
    run, other = await world.run_about(), await world.run_about()
    crossed = await world.client.post(f"/v1/runs/{other['run_id']}/report", json={}, headers=bearer(run))
    assert crossed.status_code == 403
    assert (await report(world, run, surprise=1)).status_code == 422
    assert (await report(world, run, status="succeeded")).json()["status"] == "succeeded"
    assert (await report(world, run, status="failed")).status_code == 401
    assert (await world.client.get(run["memory"], headers=bearer(run))).status_code == 401
    rows = world.query(
        "SELECT status, finished_at IS NOT NULL FROM dw_runs WHERE id = %s", uuid.UUID(run["run_id"])
    )
    assert rows == [("succeeded", True)]


async def test_with_a_runs_token_the_search_is_of_the_runs_own_channel(world: World) -> None:
    """C74: role-agent and channel come from the token; a body that names others is refused."""
    await conversation(world, 3)
    run = await world.run_about()

    async def search(**named: str) -> Any:
        body = ASKED | {"query": "message number 1"} | named
        return await world.client.post("/v1/history/search", json=body, headers=bearer(run))

    for named in ({}, {"channel": str(world.org.channel_id)}, {"role_agent": str(world.org.agent_id)}):
        answer = await search(**named)
        assert answer.status_code == 200, answer.text
        assert answer.json()["hits"]
    world.query(
        "INSERT INTO dw_channels (id, org_id, code, platform, external_channel_ref, role_agent_id)"
        " VALUES (gen_random_uuid(), %s, 'lisbon', 'slack', 'C-LISBON', %s)",
        world.org.org_id,
        world.org.agent_id,
    )
    for named in ({"channel": "lisbon"}, {"channel": "nowhere"}, {"role_agent": "nobody"}):
        assert (await search(**named)).status_code == 403
    assert (await report(world, run, status="succeeded")).status_code == 200
    assert (await search()).status_code == 401
    forged = {"authorization": f"Bearer {run['token'][:-3]}AAA"}
    body = ASKED | {"query": "x"}
    assert (await world.client.post("/v1/history/search", json=body, headers=forged)).status_code == 401
