"""dw trace EVENT_ID: what became of one event, and where the time went."""

from __future__ import annotations

import asyncio
from datetime import UTC
from uuid import UUID

import orjson
import psycopg

from dw_cli.gate_waits import reason, until
from dw_cli.local import Local, console, fail, running
from dw_contracts.dead_letters import Header
from dw_contracts.topics import OUTCOMES, TOPICS
from dw_devstack.span_files import read_spans, trace_of_event, waterfall
from dw_devstack.topic_reader import records_until_end

DECISIONS = """
SELECT d.item_no, d.outcome, d.reason, d.rule, d.decided_at
FROM dw_decisions AS d WHERE d.decision_id = %s ORDER BY d.item_no
"""
WAITING = """
SELECT h.reason, h.scope, d.parked_at, h.resets_at, d.expires_at
FROM dw_deferred AS d
CROSS JOIN LATERAL (
    SELECT n.reason, n.scope, n.resets_at FROM dw_deferred AS n
    WHERE n.org_id = d.org_id AND n.role_agent_id = d.role_agent_id ORDER BY n.place LIMIT 1
) AS h
WHERE d.decision_id = %s
"""


def trace(event_id: UUID) -> None:
    """Decisions, skips, dead letters, what it waits for, and the trace of an event. Exit status 1 if nothing is known of it."""
    local = running()
    found = _decisions(local, event_id) or _waiting(local, event_id)
    found += asyncio.run(_on_topics(local, str(event_id)))
    lines = waterfall(trace_of_event(read_spans(local.home.root / "traces"), str(event_id)))
    for line in (*found, *lines):
        console.print(line, highlight=False, markup=False)
    if not found and not lines:
        raise fail(f"nothing is known of event {event_id}")
    if not lines:
        console.print(
            "no trace: the request was not sampled (DW_TRACE_SAMPLE, or send a sampled traceparent)"
        )


def _decisions(local: Local, event_id: UUID) -> list[str]:
    with psycopg.connect(local.product.admin_dsn(local.state.postgres_port)) as connection:
        rows = connection.execute(DECISIONS, (event_id,)).fetchall()
    return [
        f"item {no}: {outcome} ({reason or rule}), by rule {rule}, {at:%H:%M:%S}"
        for no, outcome, reason, rule, at in rows
    ]


def _waiting(local: Local, event_id: UUID) -> list[str]:
    """It is parked: what it waits for, or what the first of its agent does (C77)."""
    with psycopg.connect(local.product.admin_dsn(local.state.postgres_port)) as connection:
        rows = connection.execute(WAITING, (event_id,)).fetchall()
    return [
        f"parked since {at.astimezone(UTC):%H:%M:%S} UTC: {reason(why, scope)}; {until(resets, expires)}"
        for why, scope, at, resets, expires in rows
    ]


async def _on_topics(local: Local, event_id: str) -> list[str]:
    found: dict[str, None] = {}
    names = [OUTCOMES.name, *(topic.dead_letters for topic in TOPICS)]
    async for record in records_until_end(local.operator(), names):
        if record.topic == OUTCOMES.name:
            skips = orjson.loads(record.value or b"{}").get("skips", [])
            found |= {f"skipped by triage: {s['reason']}": None for s in skips if s["event_id"] == event_id}
        elif event_id.encode() in (record.value or b""):
            reason = dict(record.headers).get(Header.REASON, b"").decode("utf-8", "replace")
            found[f"dead letter in {record.topic} at {record.partition}/{record.offset}: {reason}"] = None
    return list(found)
