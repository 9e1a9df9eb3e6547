"""What the two benchmarks of BuildAgentContext share: both servers as real processes, an org, and a load of requests."""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import psycopg
import uvicorn
from fastapi import FastAPI

from dw_contracts.settings import ContextSettings
from dw_devstack.ports import any_port
from dw_devstack.postgres import PostgresServer
from dw_store.keys import hash_secret, new_secret
from dw_testkit.databases import Databases
from dw_testkit.orgs import SmallOrg, create_small_org
from dw_testkit.servers import start_kafka

CONNECTIONS: Final = 16
SECONDS: Final = 2.0
ROUNDS: Final = 3
PEPPER: Final = "00" * 32
START_SECONDS: Final = 60.0
P99_LIMIT: Final = 3.0
"""Our p99 at CONNECTIONS, in p99s of the empty route."""
VARIANTS: Final = 4
THINGS: Final = (
    *(
        f"the office in {city}"
        for city in ("Lisbon", "Porto", "Berlin", "Kyiv", "Hanoi", "Osaka", "Madrid", "Vienna")
    ),
    *(
        f"printer {tree}"
        for tree in ("Oak", "Elm", "Birch", "Maple", "Willow", "Cedar", "Larch", "Spruce", "Alder")
    ),
    *(
        f"project {star}"
        for star in ("Atlas", "Vega", "Rigel", "Altair", "Deneb", "Sirius", "Mira", "Castor", "Polaris")
    ),
    "the VPN gateway",
    "the travel form",
    "the badge desk",
    "the build server",
    "the expense report",
    "the wiki",
)
SAYINGS: Final = (
    "opens at nine on weekdays",
    "is on floor two beside the kitchen",
    "has a new owner since March",
    "needs a form above 500 euros",
    "is replaced in the second quarter",
    "belongs to the platform team",
    "is closed between the holidays",
    "asks for a second factor",
    "was renamed after the merger",
    "takes two days",
    "is looked after by the night shift",
)
MESSAGES: Final = (
    "When does the office in Lisbon open?",
    "Who is the owner of project 417?",
    "My VPN does not connect since this morning, what can I do about it?",
    "Which printer is for number 83?",
    "thanks!",
    "Can you tell me the rule for travel expenses over 500 euros, and who has to be asked first?",
    "Wo finde ich die Nummer vom Team Lead?",
    "use skill skill-number-7 please",
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the context service has to do."""

    name: str
    target: float
    agents: int
    memories: int
    skills: int
    environment: dict[str, str]


@dataclass(frozen=True, slots=True)
class Speed:
    """Of one round."""

    rate: float
    p50: float
    p99: float


def measure(setting: Setting) -> dict[str, Any]:
    """Requests a second of both, and their ratio: the median of three rounds, in turn and never at the same time."""
    rounds = measured(setting)
    ratio = statistics.median(ours.rate / theirs.rate for ours, theirs in rounds)
    late = statistics.median(ours.p99 / theirs.p99 for ours, theirs in rounds)
    return {
        "bench": setting.name,
        "value": round(statistics.median(ours.rate for ours, _ in rounds)),
        "baseline": round(statistics.median(theirs.rate for _, theirs in rounds)),
        "ratio": round(ratio, 3),
        "target": setting.target,
        "p99_ratio": round(late, 2),
        "p99_limit": P99_LIMIT,
        "ok": ratio >= setting.target,
    }


def measured(setting: Setting) -> list[tuple[Speed, Speed]]:
    """Ours and the empty route's, in rounds."""
    with (
        tempfile.TemporaryDirectory(prefix="dw-bench-") as folder,
        servers(Path(folder), setting) as (context, empty, secret),
    ):
        asked = [request("/v1/context", body, secret) for body in bodies(setting.agents)]
        nothing = [request("/empty", b"", "")]
        asyncio.run(warm(context, asked[: setting.agents]))
        asyncio.run(load(context, asked, 2.0))
        asyncio.run(load(empty, nothing, 1.0))
        return [
            (asyncio.run(load(context, asked, SECONDS)), asyncio.run(load(empty, nothing, SECONDS)))
            for _ in range(ROUNDS)
        ]


def bodies(agents: int) -> list[bytes]:
    """Every agent with every message, in an order that goes round the agents: when one comes again, no answer of the
    same content is kept any more."""
    return [
        orjson.dumps(
            {
                "role_agent": agent_code(number),
                "channel": "helpdesk",
                "message": f"{message} ({number + variant})",
                "sender": {"platform": "slack", "external_user_id": f"U{number}"},
            }
        )
        for variant in range(VARIANTS)
        for message in MESSAGES
        for number in range(agents)
    ]


def agent_code(number: int) -> str:
    """The first one is the small org's own."""
    return f"agent_{number}" if number else "it_agent"


def request(path: str, body: bytes, secret: str) -> bytes:
    """The bytes of one request."""
    head = f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    key = f"authorization: Bearer {secret}\r\n" if secret else ""
    return f"{head}{key}\r\n".encode() + body


async def load(port: int, sent: Sequence[bytes], seconds: float) -> Speed:
    """Answers of status 200 over kept connections, the requests in turn. Raises if any answer is another one."""
    until = time.perf_counter() + seconds
    began = time.perf_counter()
    turn = itertools.cycle(sent)
    times: list[float] = []
    await asyncio.gather(*(_connection(port, turn, until, times) for _ in range(CONNECTIONS)))
    rate = len(times) / (time.perf_counter() - began)
    return Speed(rate, statistics.median(times), statistics.quantiles(times, n=100)[98])


async def warm(port: int, sent: Sequence[bytes]) -> None:
    """Every role-agent once, four at a time: what the first reply of each costs is not what is measured here."""
    for start in range(0, len(sent), 4):
        times: list[float] = []
        await asyncio.gather(*(_connection(port, iter([one]), 0.0, times) for one in sent[start : start + 4]))


async def _connection(port: int, turn: Iterator[bytes], until: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    began = time.perf_counter()
    for request_bytes in turn:
        writer.write(request_bytes)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"an answer was not 200: {head[:60]!r}")
        lower = head.lower()
        await reader.readexactly(int(lower[lower.index(b"content-length:") + 15 :].split(b"\r\n", 1)[0]))
        ended = time.perf_counter()
        times.append(ended - began)
        began = ended
        if ended >= until:
            break
    writer.close()


@contextmanager
def servers(folder: Path, setting: Setting) -> Iterator[tuple[int, int, str]]:
    """Ports of the context service and of the empty route, and a runtime key."""
    postgres = PostgresServer(
        folder / "postgres", folder / "postgres.log", port=any_port(), password=uuid.uuid4().hex
    )
    kafka = None
    processes: list[subprocess.Popen[bytes]] = []
    try:
        postgres.start()
        databases = Databases(postgres)
        name = databases.create()
        secret = fill(databases.dsn(name, "admin"), setting)
        (folder / "kafka").mkdir()
        kafka = start_kafka(folder / "kafka")
        context, empty = any_port(), any_port()
        environment = (
            os.environ
            | setting.environment
            | {
                "DW_CONTEXT_DATABASE_URL": databases.dsn(name, "context"),
                "DW_CONTEXT_PORT": str(context),
                "DW_CONTEXT_KAFKA_PASSWORD": "context",
                "DW_KAFKA_BOOTSTRAP": f"127.0.0.1:{kafka.port}",
                "DW_PEPPER": PEPPER,
                "DW_SEAL_KEYS": "bench:" + "ab" * 32,
                "DW_TRACE_DIR": str(folder / "traces"),
                "DW_ENV": "development",
            }
        )
        with (folder / "context.log").open("wb") as log:
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dw_context"], env=environment, stdout=log, stderr=log
                )
            )
            processes.append(subprocess.Popen([sys.executable, __file__, str(empty)], stdout=log, stderr=log))
            _wait_ready(context, "/health/ready", folder / "context.log")
            _wait_ready(empty, "/empty", folder / "context.log")
            yield context, empty, secret
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)
        if kafka is not None:
            kafka.stop()
        postgres.stop()


def fill(dsn: str, setting: Setting) -> str:
    """An org whose role-agents have learned what the setting says; gives a runtime key's secret."""
    org: SmallOrg = create_small_org(dsn)
    secret = new_secret("runtime")
    with psycopg.connect(dsn, autocommit=True) as connection:
        run = connection.execute
        run(
            "INSERT INTO dw_role_agents (id, org_id, code, name)"
            " SELECT gen_random_uuid(), %s, 'agent_' || n, 'Agent ' || n FROM generate_series(1, %s) AS n",
            (org.org_id, setting.agents - 1),
        )
        run(
            "INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id)"
            " SELECT a.org_id, %s, a.id FROM dw_role_agents AS a ON CONFLICT DO NOTHING",
            (org.channel_id,),
        )
        run(
            "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
            " content_hash, risk, confidence, source_kind, source_refs, origin, created_by, use_count)"
            " SELECT gen_random_uuid(), a.org_id, a.id, 'role_agent', 'fact', 'fact', n::text,"
            " 'Fact ' || n || ': ' || (%s::text[])[1 + n %% %s] || ' ' || (%s::text[])[1 + n / 7 %% %s] || '.',"
            " sha256(n::text::bytea), 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'bench', n %% 7"
            " FROM dw_role_agents AS a CROSS JOIN generate_series(1, %s) AS n",
            (list(THINGS), len(THINGS), list(SAYINGS), len(SAYINGS), setting.memories),
        )
        with connection.transaction():
            run(
                "INSERT INTO dw_agent_skills (id, org_id, role_agent_id, name, description, risk, status, active_version,"
                " created_by_user_id)"
                " SELECT gen_random_uuid(), a.org_id, a.id, 'skill-number-' || n,"
                " 'Use when somebody asks about case ' || n || ' of the handbook.', 'low', 'active', 1, %s"
                " FROM dw_role_agents AS a CROSS JOIN generate_series(1, %s) AS n",
                (org.user_id, setting.skills),
            )
            run(
                "INSERT INTO dw_agent_skill_versions (org_id, skill_id, version, body_md, content_hash, approver_user_id,"
                " approved_at, status)"
                " SELECT k.org_id, k.id, 1, repeat('1. Look it up and say it.' || chr(10), 40), sha256(k.id::text::bytea),"
                " %s, now(), 'approved' FROM dw_agent_skills AS k",
                (org.user_id,),
            )
        run(
            "INSERT INTO dw_api_keys (id, org_id, kind, name, key_hash) VALUES (%s, %s, 'runtime', 'bench', %s)",
            (uuid.uuid4(), org.org_id, hash_secret(secret, PEPPER)),
        )
        run("ANALYZE")
    return secret


def _wait_ready(port: int, path: str, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    method = "POST" if path == "/empty" else "GET"
    asked = (
        f"{method} {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
    )
    while time.monotonic() < until:
        if asyncio.run(_answers(port, asked)):
            return
        time.sleep(0.2)
    raise RuntimeError(f"not ready: {log.read_text()[-2000:]}")


async def _answers(port: int, asked: bytes) -> bool:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.write(asked)
    answer = await reader.read()
    writer.close()
    return answer.startswith(b"HTTP/1.1 200")


def serve_empty(port: int) -> None:
    """The baseline: the same server settings, and nothing else."""
    app = FastAPI()

    @app.post("/empty")
    async def empty() -> dict[str, str]:
        return {}

    uvicorn.run(
        app,
        host=ContextSettings.model_fields["host"].default,
        port=port,
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_config=None,
        server_header=False,
    )


if __name__ == "__main__":
    serve_empty(int(sys.argv[1]))
