"""dw publish FILE: a file of chat messages through ingest, and what became of all of them."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import orjson
import psycopg
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from dw_cli.local import Local, console, fail, running
from dw_client import GatewayClient, Refused, Unavailable
from dw_contracts.topics import CANDIDATES, CHAT_EVENTS, DETECTIONS, OUTCOMES
from dw_devstack.topic_reader import records_until_end

BATCH = 500
PATIENCE_SECONDS = 600.0
POLL_SECONDS = 0.5

CHANNEL = """
SELECT c.id, c.platform, c.workspace_ref
FROM dw_channels AS c JOIN dw_orgs AS o ON o.id = c.org_id
WHERE o.code = %s AND c.code = %s AND c.deleted_at IS NULL
"""
DECIDED = (
    "SELECT d.decision_id, d.outcome FROM dw_decisions AS d WHERE d.decision_id = ANY (%s) AND d.item_no = 0"
)


def publish(
    file: Path,
    org: Annotated[str, typer.Option(help="Code of the org.")],
    channel: Annotated[str, typer.Option(help="Code of the channel.")],
    key: Annotated[
        str, typer.Option(envvar="DW_GATEWAY_KEY", help="A gateway key that speaks for the channel.")
    ],
) -> None:
    """Send a JSON-lines file of messages (id, speaker, text, replies_to) and wait until all have an outcome."""
    if not file.is_file():
        raise fail(f"{file}: no such file")
    local = running()
    channel_id, platform, workspace = channel_of(local, org, channel)
    rows = list(rows_of(file, str(channel_id), platform, workspace))
    if not rows:
        raise fail(f"{file} holds no messages")
    started = time.monotonic()
    event_ids, refused = sent_all(local, key, rows)
    sent = time.monotonic() - started
    console.print(f"{len(event_ids)} events accepted in {sent:.1f} s ({len(event_ids) / sent:.0f} a second)")
    for problem, count in refused.most_common():
        console.print(f"{count} refused: {problem}", highlight=False, markup=False)
    outcomes = wait(local, event_ids)
    took = time.monotonic() - started
    for name, count in outcomes.most_common():
        console.print(f"  {name:<28} {count:>7}", highlight=False)
    missing = len(event_ids) - sum(outcomes.values())
    console.print(f"all outcomes after {took:.1f} s" if not missing else f"{missing} without an outcome")
    if missing or refused:
        raise typer.Exit(1)


def channel_of(local: Local, org: str, channel: str) -> tuple[UUID, str, str]:
    """Id, platform and workspace."""
    with psycopg.connect(local.product.admin_dsn(local.state.postgres_port)) as connection:
        row = connection.execute(CHANNEL, (org, channel)).fetchone()
    if row is None:
        raise fail(f"org {org!r} has no channel {channel!r}")
    return row[0], row[1], row[2]


def rows_of(file: Path, channel: str, platform: str, workspace: str) -> Iterator[dict[str, Any]]:
    """Inbound events of a JSON-lines file: id, speaker, text, and if there are any replies_to, thread, at."""
    texts: dict[str, str] = {}
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                raw = json.loads(line)
                text = raw["text"]
                text.encode()  # a lone surrogate is no text
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
                raise fail(f"{file}:{number}: {why}; a row has id, speaker, text, replies_to") from None
            ref = str(raw.get("id", number))
            texts[ref] = text
            if not text.strip():
                continue
            speaker = str(raw.get("speaker", "someone"))[:256]
            row: dict[str, Any] = {
                "channel": channel,
                "message_ref": ref,
                "sender": {
                    "platform": platform,
                    "workspace_ref": workspace,
                    "external_user_id": speaker,
                    "kind": "system" if speaker == "system" else "human",
                },
                "text": text,
            }
            if raw.get("thread"):
                row["thread_ref"] = str(raw["thread"])[:256]
            if raw.get("at"):
                row["occurred_at"] = str(raw["at"])
            answers = raw.get("replies_to") or []
            if not isinstance(answers, list):
                raise fail(f"{file}:{number}: replies_to is no list of ids")
            answered = next((str(r) for r in answers if str(r) in texts), None)
            if answered is not None:
                row["reply_to"] = {"message_ref": answered, "text": texts[answered][:2_000]}
            yield row


def sent_all(local: Local, key: str, rows: list[dict[str, Any]]) -> tuple[list[UUID], Counter[str]]:
    """Send them, or end with what ingest says."""
    try:
        return asyncio.run(_send(local, key, rows))
    except (Refused, Unavailable) as error:
        raise fail(str(error)) from None


async def _send(local: Local, key: str, rows: list[dict[str, Any]]) -> tuple[list[UUID], Counter[str]]:
    """In batches; ids of what was accepted, and how often what was refused."""
    event_ids: list[UUID] = []
    refused: Counter[str] = Counter()
    columns = (TextColumn("publishing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    left = iter(rows)
    async with GatewayClient(local.state.addresses.url("ingest"), key, timeout=60.0, tries=20) as gateway:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("publishing", total=len(rows))
            while batch := list(islice(left, BATCH)):
                result = await gateway.publish_batch(batch)
                for row in result.results:
                    event_ids += [event.event_id for event in row.events]
                    if row.problem is not None:
                        refused[f"{row.status} {row.problem.title}: {row.problem.detail}"] += 1
                progress.advance(task, len(batch))
    return list(dict.fromkeys(event_ids)), refused


def wait(local: Local, event_ids: list[UUID]) -> Counter[str]:
    """Decisions from the database, skips and dead letters from the topics, until every event has one of them."""
    wanted = {str(event_id) for event_id in event_ids}
    outcomes: dict[str, str] = {}
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and len(outcomes) < len(wanted):
        outcomes |= asyncio.run(_topic_outcomes(local, wanted))
        with psycopg.connect(local.product.admin_dsn(local.state.postgres_port)) as connection:
            for event_id, outcome in connection.execute(DECIDED, (event_ids,)):
                outcomes.setdefault(str(event_id), outcome)
        time.sleep(POLL_SECONDS)
    return Counter(outcomes.values())


async def _topic_outcomes(local: Local, wanted: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    dead = [topic.dead_letters for topic in (CHAT_EVENTS, CANDIDATES, DETECTIONS)]
    async for record in records_until_end(local.operator(), [OUTCOMES.name, *dead]):
        if record.topic == OUTCOMES.name:
            for skip in orjson.loads(record.value or b"{}").get("skips", []):
                if skip["event_id"] in wanted:
                    found[skip["event_id"]] = f"skip ({skip['reason']})"
        else:
            event_id = dict(record.headers).get("ce_id", b"").decode("ascii", "replace")
            if event_id in wanted:
                found.setdefault(event_id, "dead letter")
    return found
