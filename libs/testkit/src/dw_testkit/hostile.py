"""Records that nobody of ours writes: each must become a dead letter with its reason, and stop nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from dw_contracts.dead_letters import Header
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.topic_reader import RawRecord, open_writer, records_until_end

Headers = list[tuple[str, bytes]]
KIND: Final = "hostile_kind"
"""Header that says which one it is: a dead letter keeps it."""
BIG: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """One such record, and what its dead letter's reason must hold."""

    kind: str
    key: bytes
    value: bytes | None
    reason: str
    headers: Headers


def hostile_records(key: bytes, good: bytes) -> list[Hostile]:
    """All of them, made from the key and bytes of a good message of a topic."""
    fields = orjson.loads(good)
    by_kind: dict[str, tuple[bytes, bytes | None, str]] = {
        "not JSON": (key, b"hello", "not JSON"),
        "not UTF-8": (key, b'{"text":"\xff\xfe"}', "not UTF-8"),
        "lone surrogate": (key, b'{"text":"\\ud800"}', "surrogate"),
        "NUL": (key, b'{"schema_version":1,"text":"a\\u0000b"}', "NUL"),
        "NaN": (key, b'{"schema_version":1,"revision":NaN}', "NaN"),
        "deep": (key, b"[" * 100_000, "nested deeper"),
        "large": (key, b'{"text":"' + b"x" * BIG + b'"}', "schema_version: Field required"),
        "unknown version": (key, orjson.dumps({**fields, "schema_version": 99}), "schema_version is not 1"),
        "foreign key": (b"nobody:nobody", good, "the key does not name"),
        "duplicate keys": (key, good[:-1] + b',"schema_version":1}', "duplicate key 'schema_version'"),
        "no value": (key, None, "no value"),
        "missing fields": (key, b'{"schema_version":1}', "Field required"),
        "a list": (key, b"[" + good + b"]", "the top level must be an object"),
        "header not UTF-8": (key, b"hello", "not JSON"),
        "reply_to header": (key, b"hello", "not JSON"),
    }
    more: dict[str, Headers] = {
        "header not UTF-8": [("x", b"\xff\xfe")],
        "reply_to header": [("reply_to", b"learning.changes.v1")],
    }
    return [
        Hostile(kind, key, value, reason, [(KIND, kind.encode()), *more.get(kind, [])])
        for kind, (key, value, reason) in by_kind.items()
    ]


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter of one of them."""

    kind: str
    key: bytes | None
    value: bytes | None
    reason: str
    failure: str
    step: str


async def pour(login: KafkaLogin, topic: str, key: bytes, good: bytes, poured: Sequence[Hostile]) -> None:
    """Onto the topic, as one of its writers; the good message of that key behind them."""
    async with open_writer(login) as producer:
        for one in poured:
            await producer.send_and_wait(topic, value=one.value, key=one.key, headers=one.headers)
        await producer.send_and_wait(topic, value=good, key=key)


async def letters_of(login: KafkaLogin, dead_letters: str, count: int, seconds: float = 60.0) -> list[Letter]:
    """What became of them, once there are so many; those that there are after so many seconds."""
    until = time.monotonic() + seconds
    while True:
        found = [record async for record in records_until_end(login, [dead_letters])]
        letters = [letter for record in found if (letter := _letter(record)) is not None]
        if len(letters) >= count or time.monotonic() > until:
            return letters
        await asyncio.sleep(0.1)


def _letter(record: RawRecord) -> Letter | None:
    headers = {name: value.decode("utf-8", "replace") for name, value in record.headers}
    if KIND not in headers:
        return None
    return Letter(
        headers[KIND],
        record.key,
        record.value,
        headers[Header.REASON],
        headers[Header.KIND],
        headers[Header.STEP],
    )
