"""Two hundred people at once on a hundred items: each is decided once, each loser is told, and the audit says what was."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from uuid import UUID

import httpx
import pytest
from panel_world import World

pytestmark = pytest.mark.integration
DECIDERS, ITEMS, EACH = 200, 100, 3
PEOPLE = ("farid", "minh", "ada", "ingrid")


async def until_told(world: World, who: str, item: UUID, action: str) -> httpx.Response:
    """A panel without a free connection says 503, which changes nothing: one asks again."""
    while True:
        answer = await world.decide(who, item, action)
        if answer.status_code != 503:
            return answer


async def test_two_hundred_deciders_on_a_hundred_items(acme: World) -> None:
    items = [acme.item(f"Room {n} is called R{n}.") for n in range(ITEMS)]
    chance = random.Random(7)
    asked: list[tuple[str, UUID, str]] = [
        (PEOPLE[n % 4], items[(n * EACH + k) % ITEMS], chance.choice(["approve", "reject"]))
        for n in range(DECIDERS)
        for k in range(EACH)
    ]

    async def decider(own: list[tuple[str, UUID, str]]) -> list[httpx.Response]:
        return [await until_told(acme, *call) for call in own]

    turns = [asked[n * EACH : (n + 1) * EACH] for n in range(DECIDERS)]
    answers = [answer for part in await asyncio.gather(*map(decider, turns)) for answer in part]
    won = [
        (call, answer.json())
        for call, answer in zip(asked, answers, strict=True)
        if answer.status_code == 200
    ]
    lost = [answer for answer in answers if answer.status_code != 200]
    assert Counter(call[1] for call, _ in won) == Counter(items)
    assert {answer.status_code for answer in lost} == {409}
    assert all(" by " in answer.json()["detail"] for answer in lost)
    assert len(won) + len(lost) == DECIDERS * EACH
    said = {
        call[1]: (call[2] + ("d" if call[2] == "approve" else "ed"), str(acme.ids[call[0]]))
        for call, _ in won
    }
    stored = acme.query("SELECT id, status, decided_by::text FROM dw_learning_items")
    assert {row[0]: (row[1], row[2]) for row in stored} == said
    logged = acme.query(
        "SELECT subject_id, event_type, actor_id FROM dw_learning_events WHERE subject_type = 'item'"
    )
    assert sorted(logged, key=str) == sorted(((i, *what) for i, what in said.items()), key=str)
    approved = [item for item, (status, _) in said.items() if status == "approved"]
    assert acme.query("SELECT count(*), count(DISTINCT learning_item_id) FROM dw_agent_memories") == [
        (len(approved), len(approved))
    ]
    assert acme.query("SELECT count(*) FROM dw_acts") == [(ITEMS,)]
