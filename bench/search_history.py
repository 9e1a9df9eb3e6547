"""SearchAgentHistory with five phrasings against the same tsquery and limit, sent by asyncpg alone as owner.

Ours finds the agent's place, makes the terms, ranks at most 2,000 candidates, resolves who said what and reads the
neighbours, under row-level security. Events of 50 agents: 200,000, or as many as the first argument says.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import asyncpg
import psycopg
import uvloop

from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_learning.history.glossary import shipped
from dw_learning.history.query import search_terms
from dw_learning.history_tokens import scope_of, tsvector_literal
from dw_store.database import Database
from dw_store.history_search import Bounds, place_of, search
from dw_store.keys import FoundKey
from dw_testkit.databases import Databases
from dw_testkit.orgs import SmallOrg, create_small_org

TARGET: Final = 0.5
AGENTS: Final = 50
EVENTS: Final = 200_000
QUERIES: Final = 60
ROUNDS: Final = 3
LIMIT: Final = 10
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
BARE: Final = """
SELECT e.id, ts_rank(e.body_tsv, $3::text::tsquery) AS rank
FROM dw_chat_events AS e
WHERE e.org_id = $1 AND e.role_agent_id = $2 AND e.body_tsv @@ $3::text::tsquery
ORDER BY rank DESC, e.id
LIMIT $4
"""
_HELD: Final = (
    "id, org_id, role_agent_id, channel_id, kind, message_ref, platform, external_user_id, sender_kind, body_text,"
    " body_tsv, sealed, occurred_at, received_at"
)


@dataclass(frozen=True)
class World:
    """Filled."""

    orgs: list[SmallOrg]
    words: list[str]
    admin: str
    context: str


def run(events: int = EVENTS) -> dict[str, Any]:
    """Searches a second of both; the median of three rounds. p95 in milliseconds, ours."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name:
        folder = Path(name)
        postgres = PostgresServer(
            folder / "postgres", folder / "log", port=any_port(), password=uuid.uuid4().hex, fast=True
        )
        postgres.start()
        try:
            databases = Databases(postgres)
            database = databases.create()
            world = fill(databases.dsn(database, "admin"), databases.dsn(database, "context"), events)
            rounds = uvloop.run(_rounds(world))
        finally:
            postgres.stop()
    ratio = statistics.median(ours / bare for ours, bare, _ in rounds)
    return {
        "bench": "search_history",
        "value": round(statistics.median(ours for ours, _, _ in rounds), 1),
        "baseline": round(statistics.median(bare for _, bare, _ in rounds), 1),
        "ratio": round(ratio, 3),
        "target": TARGET,
        "events": events,
        "p95": round(statistics.median(p95 for _, _, p95 in rounds), 1),
        "ok": ratio >= TARGET,
    }


def vocabulary(rng: random.Random) -> list[str]:
    """Words of work and made-up ones, the frequent ones first."""
    real = sorted(word for word in shipped().words if word.isalpha())
    made = [
        "".join(rng.choice("bdfgklmnprstv") + rng.choice("aeiou") for _ in range(4)) for _ in range(9_000)
    ]
    words = [*real, *made]
    rng.shuffle(words)
    return words


def sentence(rng: random.Random, words: list[str], length: int) -> str:
    """Words by Zipf's law."""
    return " ".join(words[min(len(words) - 1, int(rng.paretovariate(0.5)) - 1)] for _ in range(length))


def fill(admin: str, context: str, events: int) -> World:
    """Orgs of one agent each, with the same number of messages in their channels."""
    rng = random.Random(11)
    words = vocabulary(rng)
    orgs = [create_small_org(admin) for _ in range(AGENTS)]
    texts = [sentence(rng, words, rng.randint(3, 18)) for _ in range(events // AGENTS)]
    literals = [tsvector_literal(text, uuid.UUID(int=0)) for text in texts]
    zero = scope_of(uuid.UUID(int=0))
    with psycopg.connect(admin, autocommit=True) as connection:
        for org in orgs:
            mark = scope_of(org.agent_id)
            copy = f"COPY dw_chat_events ({_HELD}) FROM STDIN".encode()
            with connection.cursor() as cursor, cursor.copy(copy) as rows:
                for number, (text, literal) in enumerate(zip(texts, literals, strict=True)):
                    at = BEGIN + timedelta(seconds=number)
                    own = literal.replace("'" + zero, "'" + mark)
                    ids = (uuid.uuid4(), org.org_id, org.agent_id, org.channel_id)
                    said = ("message_in", f"m{number}", "slack", org.account, "human")
                    rows.write_row((*ids, *said, text, own, True, at, at))
        connection.execute("VACUUM ANALYZE dw_chat_events")
    return World(orgs, words, admin, context)


async def _rounds(world: World) -> list[tuple[float, float, float]]:
    rng = random.Random(5)
    asked = [
        (rng.choice(world.orgs), [sentence(rng, world.words, rng.randint(2, 6)) for _ in range(5)])
        for _ in range(QUERIES)
    ]
    async with Database.connect(world.context, size=1, application_name="bench") as database:
        owner = await asyncpg.connect(world.admin)

        async def ours(org: SmallOrg, phrasings: list[str]) -> None:
            key = FoundKey(uuid.uuid4(), org.org_id, "runtime", None, (), (), True)
            async with database.transaction([org.org_id]) as tx:
                place = await place_of(tx, key, "it_agent", "helpdesk")
                if place is None:
                    raise RuntimeError("no place")
                terms = search_terms(phrasings, place.role_agent_id)
                await search(tx, org.org_id, place, terms, Bounds(LIMIT))

        async def bare(org: SmallOrg, phrasings: list[str]) -> None:
            query = " | ".join(f"({term.query})" for term in search_terms(phrasings, org.agent_id))
            await owner.fetch(BARE, org.org_id, org.agent_id, query, LIMIT)

        await _times(ours, asked[:10])
        await _times(bare, asked[:10])
        found = []
        for _ in range(ROUNDS):
            mine, theirs = await _times(ours, asked), await _times(bare, asked)
            found.append((len(mine) / sum(mine), len(theirs) / sum(theirs), _p95(mine) * 1000))
        await owner.close()
        return found


async def _times(
    one: Callable[[SmallOrg, list[str]], Awaitable[None]], asked: list[tuple[SmallOrg, list[str]]]
) -> list[float]:
    times = []
    for org, phrasings in asked:
        began = time.perf_counter()
        await one(org, phrasings)
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0)
    return times


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[18]


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS))
