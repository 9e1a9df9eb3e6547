"""Whole processes: SIGTERM finishes, kill -9 loses nothing, and a header that the client library cannot read."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dw_devstack.ports import any_port
from dw_runtime import Chassis
from libs.runtime.tests.harness import Bench, Seen, eventually, key_of, note, parse_note, running

pytestmark = pytest.mark.integration

PROCESS = """
import asyncio, sys
from dw_contracts.settings import TriageSettings
from dw_contracts.topics import Topic
from dw_runtime import Chassis, Handled, serve
from libs.runtime.tests.harness import Note, parse_note

class Settings(TriageSettings):
    service = sys.argv[2]

def create_app(settings):
    chassis = Chassis(settings)

    async def handle(batch):
        with open(sys.argv[3], "a") as effect:
            effect.writelines(f"{received.message.number}\\n" for received in batch)
        await asyncio.sleep(float(sys.argv[4]))
        with open(sys.argv[3], "a") as effect:
            effect.write("done\\n")
        return Handled()

    chassis.consume(Topic(sys.argv[1], Note, "", (), (), partitions=3), parse_note, handle)
    return chassis.app()

serve(create_app, Settings)
"""
# The C builder takes str alone; the Python one encodes what it is given, and so writes what nobody should.
UNREADABLE = """
import asyncio, json, sys
from aiokafka import AIOKafkaProducer

class Name(str):
    def encode(self, *_):
        return b"\\xff\\xfe"

async def main():
    login, topic, values = json.loads(sys.argv[1]), sys.argv[2], [bytes.fromhex(v) for v in sys.argv[4:]]
    producer = AIOKafkaProducer(**login, linger_ms=200)
    await producer.start()
    futures = [
        await producer.send(topic, key=sys.argv[3].encode(), value=value, headers=[(Name("n") if n == 3 else "n", b"1")])
        for n, value in enumerate(values)
    ]
    await asyncio.gather(*futures)
    await producer.stop()

asyncio.run(main())
"""


@contextmanager
def process(
    bench: Bench, effects: Path, seconds: float, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DW_")}
    environ |= {
        "DW_KAFKA_BOOTSTRAP": bench.kafka.bootstrap,
        "DW_TRIAGE_KAFKA_USER": "admin",
        "DW_TRIAGE_KAFKA_PASSWORD": "admin-of-a-test",
        "DW_TRIAGE_PORT": str(any_port()),
        "PYTHONPATH": str(Path(__file__).parents[3]),
        **variables,
    }
    command = [sys.executable, "-c", PROCESS, bench.topic.name, bench.service, str(effects), str(seconds)]
    child = subprocess.Popen(command, env=environ)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


async def test_sigterm_finishes_the_batch_in_flight_and_ends_with_status_0(
    bench: Bench, tmp_path: Path
) -> None:
    await bench.send_notes(range(3))
    effects = tmp_path / "effects"
    with process(bench, effects, 2.0) as child:
        await eventually(lambda: len(_lines(effects)) == 3)
        began = time.monotonic()
        child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(child.wait, 15) == 0
        assert time.monotonic() - began < 10
    assert _lines(effects) == ["0", "1", "2", "done"]
    assert await bench.committed() == 3


async def test_a_kill_between_effect_and_commit_brings_the_records_again(
    bench: Bench, tmp_path: Path
) -> None:
    await bench.send_notes(range(3))
    effects = tmp_path / "effects"
    with process(bench, effects, 60.0) as child:
        await eventually(lambda: len(_lines(effects)) == 3)
        child.send_signal(signal.SIGKILL)
        await asyncio.to_thread(child.wait)
    assert await bench.committed() == 0
    with process(bench, effects, 0.0):
        await eventually(lambda: "done" in _lines(effects))
    assert _lines(effects) == ["0", "1", "2", "0", "1", "2", "done"]


async def test_wrong_settings_end_with_status_2(bench: Bench, tmp_path: Path) -> None:
    with process(bench, tmp_path / "effects", 0.0, DW_TRIAGE_PROT="1") as child:
        assert await asyncio.to_thread(child.wait, 20) == 2


async def test_a_header_name_that_is_not_utf8_stalls_nothing_and_loses_nothing(
    bench: Bench,
) -> None:

    values = [note(number).hex() for number in range(8)]
    command = [
        sys.executable,
        "-c",
        UNREADABLE,
        json.dumps(bench.login),
        bench.topic.name,
        key_of().decode(),
        *values,
    ]
    await asyncio.to_thread(
        subprocess.run, command, env={**os.environ, "AIOKAFKA_NO_EXTENSIONS": "1"}, check=True, timeout=30
    )
    seen = Seen()
    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, seen)
    async with running(chassis):
        await seen.wait_for(8)
    assert seen.numbers == list(range(8))
    assert await bench.committed() == 8


async def test_a_process_waits_for_a_broker_that_is_not_up_yet(bench: Bench) -> None:
    await asyncio.to_thread(bench.kafka.stop)
    seen = Seen()
    chassis = Chassis(bench.settings())
    chassis.consume(bench.topic, parse_note, seen)
    async with running(chassis):
        await asyncio.sleep(0.3)
        assert "waiting for kafka" in await chassis.health.ready()
        assert chassis.health.alive() == []
        await asyncio.to_thread(bench.kafka.start)
        await bench.send_notes([1])
        await seen.wait_for(1)
        await eventually(lambda: not chassis.health.waiting_for)
    assert seen.numbers == [1]
