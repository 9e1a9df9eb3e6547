"""What became of every event: outcomes by event id from the topics, the database and the dead letters (C51)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
import psycopg
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from dw_contracts.topics import CANDIDATES, CHAT_EVENTS, DETECTIONS, OUTCOMES, TOPICS
from dw_devstack.demo.stage import Doors
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.topic_reader import open_reader, records_until_end
from dw_testkit.hostile import KIND

PATIENCE = 90.0


@dataclass(slots=True)
class Book:
    """Outcomes as they were found. What was published twice, because of a kill before the commit, counts once: skips
    by event id, dead letters by the record that they came from."""

    skips: dict[str, str] = field(default_factory=dict)
    decisions: dict[str, list[str]] = field(default_factory=dict)
    dead: dict[str, str] = field(default_factory=dict)
    hostile: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)
    """By place: what it was poured in as, and the reason of its dead letter."""
    asked: set[str] = field(default_factory=set)
    """Requests for drafts (C66): what was learned asked for them, so each has a decision and no event."""
    drafts: dict[str, list[str]] = field(default_factory=dict)

    def outcomes(self, event_id: UUID) -> int:
        """How many terminal outcomes the event has: must be one."""
        key = str(event_id)
        return (key in self.skips) + (key in self.decisions) + (key in self.dead)


async def read_book(doors: Doors) -> Book:
    """Everything that stands there now."""
    book = Book()
    dead = {topic.dead_letters for topic in (CHAT_EVENTS, CANDIDATES, DETECTIONS)}
    async for record in records_until_end(doors.operator, [OUTCOMES.name, *sorted(dead)]):
        if record.topic == OUTCOMES.name:
            for skip in orjson.loads(record.value or b"{}")["skips"]:
                book.skips[skip["event_id"]] = skip["reason"]
            continue
        headers = {name: value.decode("utf-8", "replace") for name, value in record.headers}
        if "dlq_replayed" in headers or headers["dlq_step"] == "context":  # a note, or context's own copy
            continue
        if KIND in headers:
            origin = (headers["dlq_topic"], headers["dlq_partition"], headers["dlq_offset"])
            book.hostile[origin] = (headers[KIND], headers["dlq_reason"])
        else:
            book.dead[headers["ce_id"]] = headers["dlq_reason"]
    with psycopg.connect(doors.admin_dsn) as connection:
        rows = connection.execute("SELECT decision_id, outcome, channel_id IS NULL FROM dw_decisions")
        for decision_id, outcome, is_draft in rows:
            place = book.drafts if is_draft else book.decisions
            place.setdefault(str(decision_id), []).append(outcome)
        asked = "SELECT subject_id FROM dw_learning_events WHERE event_type = 'draft_requested'"
        book.asked = {str(subject_id) for (subject_id,) in connection.execute(asked)}
    return book


async def settled(doors: Doors, event_ids: set[UUID], hostile: int) -> Book:
    """Wait until every event has an outcome and every hostile record its dead letter."""
    deadline = time.monotonic() + PATIENCE
    while True:
        book = await read_book(doors)
        missing = [event_id for event_id in event_ids if not book.outcomes(event_id)]
        if not missing and len(book.hostile) >= hostile and book.asked <= set(book.drafts):
            return book
        if time.monotonic() > deadline:
            raise AssertionError(
                f"{len(missing)} events without an outcome, {hostile - len(book.hostile)} hostile"
            )
        await asyncio.sleep(0.5)


async def lag_of(admin: KafkaLogin, group: str, topic: str) -> int:
    """Records of the topic that the group has not committed."""
    client = AIOKafkaAdminClient(
        bootstrap_servers=admin.bootstrap,
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="PLAIN",
        sasl_plain_username=admin.user,
        sasl_plain_password=admin.password,
    )
    await client.start()
    try:
        committed: dict[TopicPartition, Any] = await client.list_consumer_group_offsets(group)
    finally:
        await client.close()
    async with open_reader(admin, [topic]) as reader:
        ends = await reader.end_offsets(reader.assignment())
        starts = await reader.beginning_offsets(reader.assignment())
    return sum(
        end - max(starts[tp], committed[tp].offset if tp in committed else 0) for tp, end in ends.items()
    )


async def no_lag(admin: KafkaLogin) -> dict[str, int]:
    """Lag of every group on every topic, once it has had time to reach zero."""
    pairs = [(reader, topic.name) for topic in TOPICS for reader in topic.readers]
    deadline = time.monotonic() + PATIENCE
    while True:
        lags = {f"{group} {topic}": await lag_of(admin, group, topic) for group, topic in pairs}
        if not any(lags.values()) or time.monotonic() > deadline:
            return lags
        await asyncio.sleep(0.5)
