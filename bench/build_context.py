"""BuildAgentContext from SQL under row-level security against an empty FastAPI route on the same server settings.

1,000 memories of the role-agent; logs, metrics and traces as shipped; Kafka, PostgreSQL and both servers are real
processes. The two servers are asked in turn, and never at the same time.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
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

TARGET: Final = 0.15
MEMORIES: Final = 1_000
CONNECTIONS: Final = 16
SECONDS: Final = 2.0
ROUNDS: Final = 3
PEPPER: Final = "00" * 32
START_SECONDS: Final = 60.0


def run() -> dict[str, Any]:
    """Requests a second of both, and their ratio: the median of three rounds."""
    with (
        tempfile.TemporaryDirectory(prefix="dw-bench-") as folder,
        servers(Path(folder)) as (context, empty, secret),
    ):
        body = orjson.dumps(
            {"role_agent": "it_agent", "channel": "helpdesk", "message": "When does it open?"}
        )
        asked = request("/v1/context", body, secret)
        nothing = request("/empty", b"", "")
        asyncio.run(load(context, asked, 1.0))
        asyncio.run(load(empty, nothing, 1.0))
        rounds = [
            (asyncio.run(load(context, asked, SECONDS)), asyncio.run(load(empty, nothing, SECONDS)))
            for _ in range(ROUNDS)
        ]
    ratio = statistics.median(ours / theirs for ours, theirs in rounds)
    return {
        "bench": "build_context",
        "value": round(statistics.median(ours for ours, _ in rounds)),
        "baseline": round(statistics.median(theirs for _, theirs in rounds)),
        "ratio": round(ratio, 3),
        "target": TARGET,
        "ok": ratio >= TARGET,
    }


def request(path: str, body: bytes, secret: str) -> bytes:
    """The bytes of one request."""
    head = f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    key = f"authorization: Bearer {secret}\r\n" if secret else ""
    return f"{head}{key}\r\n".encode() + body


async def load(port: int, sent: bytes, seconds: float) -> float:
    """Answers of status 200 a second over kept connections. Raises if any answer is another one."""
    until = time.perf_counter() + seconds
    began = time.perf_counter()
    counts = await asyncio.gather(*(_connection(port, sent, until) for _ in range(CONNECTIONS)))
    return sum(counts) / (time.perf_counter() - began)


async def _connection(port: int, sent: bytes, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    count = 0
    while time.perf_counter() < until:
        writer.write(sent)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"an answer was not 200: {head[:60]!r}")
        lower = head.lower()
        await reader.readexactly(int(lower[lower.index(b"content-length:") + 15 :].split(b"\r\n", 1)[0]))
        count += 1
    writer.close()
    return count


@contextmanager
def servers(folder: Path) -> Iterator[tuple[int, int, str]]:
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
        secret = fill(databases.dsn(name, "admin"))
        (folder / "kafka").mkdir()
        kafka = start_kafka(folder / "kafka")
        context, empty = any_port(), any_port()
        environment = os.environ | {
            "DW_CONTEXT_DATABASE_URL": databases.dsn(name, "context"),
            "DW_CONTEXT_PORT": str(context),
            "DW_CONTEXT_KAFKA_PASSWORD": "context",
            "DW_KAFKA_BOOTSTRAP": f"127.0.0.1:{kafka.port}",
            "DW_PEPPER": PEPPER,
            "DW_SEAL_KEYS": "bench:" + "ab" * 32,
            "DW_TRACE_DIR": str(folder / "traces"),
            "DW_ENV": "development",
        }
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


def fill(dsn: str) -> str:
    """A small org whose role-agent has learned a thousand facts; gives a runtime key's secret."""
    org: SmallOrg = create_small_org(dsn)
    secret = new_secret("runtime")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO dw_agent_memories (id, org_id, role_agent_id, scope, memory_type, category, key, content,"
            " content_hash, risk, confidence, source_kind, source_refs, origin, created_by, use_count)"
            " SELECT gen_random_uuid(), %s, %s, 'role_agent', 'fact', 'fact', n::text,"
            " 'Fact number ' || n || ': the office in Lisbon opens at nine on weekdays, says its team lead.',"
            " sha256(n::text::bytea), 'low', 0.9, 'user_confirmed', '[{}]', 'approved', 'bench', n %% 7"
            " FROM generate_series(1, %s) AS n",
            (org.org_id, org.agent_id, MEMORIES),
        )
        connection.execute(
            "INSERT INTO dw_api_keys (id, org_id, kind, name, key_hash) VALUES (%s, %s, 'runtime', 'bench', %s)",
            (uuid.uuid4(), org.org_id, hash_secret(secret, PEPPER)),
        )
        connection.execute("ANALYZE")
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
    if len(sys.argv) == 2:
        serve_empty(int(sys.argv[1]))
    else:
        print(orjson.dumps(run()).decode())
