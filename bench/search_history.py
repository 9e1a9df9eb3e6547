"""SearchAgentHistory with five phrasings against the same tsquery and limit, sent by asyncpg alone as owner.

Ours finds the agent's place, makes the terms, ranks at most 2,000 candidates, resolves who said what and reads the
neighbours, under row-level security. Events of 50 agents: 1,000,000, or as many as the first argument says; p95 is
compared with that of a tenth as many. `kept` says what the cap costs: which share of the ten best threads that a search
without the cap gives is among the ten of ours.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
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
from dw_store.history_search import MAX_RANKED, Bounds, place_of, search
from dw_store.keys import FoundKey
from dw_testkit.databases import Databases
from dw_testkit.orgs import SmallOrg, create_small_org

TARGET: Final = 0.5
AGENTS: Final = 50
EVENTS: Final = 1_000_000
FEWER: Final = 10
MAX_GROWTH: Final = 2.5
QUERIES: Final = 40
OF_BOTH: Final = 12  # a bare search takes half a second: it is asked fewer
COMPARED: Final = 10
UNCAPPED: Final = 10_000_000
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


@dataclass(frozen=True)
class Figures:
    """Rates are searches a second, p95 milliseconds of ours."""

    ours: float
    bare: float
    p95: float
    kept: float


def run(events: int = EVENTS) -> dict[str, Any]:
    """Searches a second of both; the median of three rounds. The whole takes about four minutes."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name:
        folder = Path(name)
        postgres = PostgresServer(
            folder / "postgres", folder / "log", port=any_port(), password=uuid.uuid4().hex, fast=True
        )
        postgres.start()
        try:
            databases = Databases(postgres)
            few, many = (_measured(databases, number) for number in (events // FEWER, events))
        finally:
            postgres.stop()
    ratio, growth = many.ours / many.bare, many.p95 / few.p95
    return {
        "bench": "search_history",
        "value": round(many.ours, 1),
        "baseline": round(many.bare, 1),
        "ratio": round(ratio, 3),
        "target": TARGET,
        "events": events,
        "p95": round(many.p95, 1),
        "p95_of_a_tenth": round(few.p95, 1),
        "growth": round(growth, 2),
        "max_growth": MAX_GROWTH,
        "kept": round(many.kept, 3),
        "ok": ratio >= TARGET and growth < MAX_GROWTH,
    }


def _measured(databases: Databases, events: int) -> Figures:
    database = databases.create()
    _say(f"filling in {events:,} events")
    world = fill(databases.dsn(database, "admin"), databases.dsn(database, "context"), events)
    _say("searching")
    return uvloop.run(_rounds(world))


def _say(text: str) -> None:
    sys.stderr.write(f"search_history: {text}\n")
    sys.stderr.flush()


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
    """Orgs of one agent each, with the same number of messages in their channels. The text's index is built at the end,
    as after a back-fill."""
    rng = random.Random(11)
    words = vocabulary(rng)
    orgs = [create_small_org(admin) for _ in range(AGENTS)]
    texts = [sentence(rng, words, rng.randint(3, 18)) for _ in range(events // AGENTS)]
    literals = [tsvector_literal(text, uuid.UUID(int=0)) for text in texts]
    with psycopg.connect(admin, autocommit=True) as connection:
        found = connection.execute("SELECT pg_get_indexdef('dw_chat_events_text'::regclass)").fetchone()
        connection.execute("DROP INDEX dw_chat_events_text")
        for number, org in enumerate(orgs, start=1):
            with (
                connection.cursor() as cursor,
                cursor.copy(f"COPY dw_chat_events ({_HELD}) FROM STDIN".encode()) as rows,
            ):
                rows.write("".join(_lines(rng, org, texts, literals)).encode())
            if number % 10 == 0:
                _say(f"{number * len(texts):,} events")
        connection.execute("SET maintenance_work_mem = '256MB'")
        if found:
            connection.execute(found[0])
        connection.execute("VACUUM ANALYZE dw_chat_events")
    return World(orgs, words, admin, context)


def _lines(rng: random.Random, org: SmallOrg, texts: list[str], literals: list[str]) -> Iterator[str]:
    """COPY's own text. Words are letters only, so nothing needs to be escaped."""
    mark, zero = "'" + scope_of(org.agent_id), "'" + scope_of(uuid.UUID(int=0))
    places = f"{org.org_id}\t{org.agent_id}\t{org.channel_id}\tmessage_in"
    for number, (text, literal) in enumerate(zip(texts, literals, strict=True)):
        at = (BEGIN + timedelta(seconds=number)).isoformat()
        own = literal.replace(zero, mark)
        yield (
            f"{rng.getrandbits(128):032x}\t{places}\tm{number}\tslack\t{org.account}\thuman\t{text}\t{own}\tt\t{at}\t{at}\n"
        )


async def _rounds(world: World) -> Figures:
    rng = random.Random(5)
    asked = [
        (rng.choice(world.orgs), [sentence(rng, world.words, rng.randint(2, 6)) for _ in range(5)])
        for _ in range(QUERIES)
    ]
    async with Database.connect(world.context, size=1, application_name="bench") as database:
        owner = await asyncpg.connect(world.admin)

        async def ours(org: SmallOrg, phrasings: list[str], ranked: int = MAX_RANKED) -> list[uuid.UUID]:
            key = FoundKey(uuid.uuid4(), org.org_id, "runtime", None, (), (), True)
            async with database.transaction([org.org_id]) as tx:
                place = await place_of(tx, key, "it_agent", "helpdesk")
                if place is None:
                    raise RuntimeError("no place")
                terms = search_terms(phrasings, place.role_agent_id)
                hits = await search(tx, org.org_id, place, terms, Bounds(LIMIT, ranked=ranked))
            return [hit.event_id for hit in hits]

        async def bare(org: SmallOrg, phrasings: list[str]) -> None:
            query = " | ".join(f"({term.query})" for term in search_terms(phrasings, org.agent_id))
            await owner.fetch(BARE, org.org_id, org.agent_id, query, LIMIT)

        await _times(ours, asked[:10])
        await _times(bare, asked[:2])
        rounds = []
        for _ in range(ROUNDS):
            mine, theirs = await _times(ours, asked), await _times(bare, asked[:OF_BOTH])
            rounds.append((OF_BOTH / sum(mine[:OF_BOTH]), OF_BOTH / sum(theirs), _p95(mine) * 1000))
        shares = []
        for org, phrasings in asked[:COMPARED]:
            best = set(await ours(org, phrasings, UNCAPPED))
            shares.append(len(best & set(await ours(org, phrasings))) / max(1, len(best)))
        await owner.close()
    rate, bare_rate, p95 = (statistics.median(column) for column in zip(*rounds, strict=True))
    return Figures(rate, bare_rate, p95, statistics.mean(shares))


async def _times(
    one: Callable[[SmallOrg, list[str]], Awaitable[Any]], asked: list[tuple[SmallOrg, list[str]]]
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
