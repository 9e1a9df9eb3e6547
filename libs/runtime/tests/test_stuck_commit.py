"""A commit that never returns: the process ends itself, so that somebody else reads the batch again."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any
from unittest.mock import create_autospec

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from dw_runtime import consumer as module
from dw_runtime.batch import Abandoned
from dw_runtime.consumer import Consumer


async def _never(_: object) -> None:
    await asyncio.Event().wait()


async def test_a_commit_that_never_returns_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    record = create_autospec(ConsumerRecord, instance=True)
    record.topic, record.partition, record.offset = "notes.v1", 0, 7
    client = create_autospec(AIOKafkaConsumer, instance=True)
    client.assignment.return_value = {TopicPartition("notes.v1", 0)}
    client.commit.side_effect = _never
    stuck: Any = object.__new__(Consumer)
    stuck.topic = type("Topic", (), {"name": "notes.v1"})
    stuck.committed = {}
    monkeypatch.setattr(Consumer, "client", client)
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.05)
    ended: list[bool] = []
    monkeypatch.setattr(module, "end_process", lambda: ended.append(True))
    with pytest.raises(Abandoned):
        await stuck._commit([record])
    assert ended == [True]
    assert stuck.committed == {}


@pytest.mark.parametrize(
    ("on_term", "status"),
    [("lambda *_: None", 1), ("lambda *_: sys.exit(0)", 0)],
    ids=["hangs while it is stopped", "stops in order"],
)
def test_a_process_that_ends_itself_is_gone_whatever_holds_it_up(on_term: str, status: int) -> None:
    program = (
        "import signal, sys, time\n"
        "from dw_runtime import ending\n"
        f"signal.signal(signal.SIGTERM, {on_term})\n"
        "ending.LAST_SECONDS = 0.3\n"
        "ending.end_process()\n"
        "while True:\n"
        "    time.sleep(60)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == status
