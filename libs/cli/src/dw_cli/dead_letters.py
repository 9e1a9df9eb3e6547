"""dw dlq list, show, replay, resume: what could not be read, and putting it back once it can."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated, Any

import httpx
import typer
from rich.table import Table

from dw_cli.local import console, fail, running
from dw_contracts.dead_letters import Header
from dw_contracts.settings import ALL
from dw_contracts.topics import TOPICS
from dw_devstack.topic_reader import open_writer, records_until_end

app = typer.Typer(no_args_is_help=True, help=__doc__)
SHOWN_BYTES = 600
_ADDED = frozenset(header.value for header in Header)


def _headers(record: Any) -> dict[str, str]:
    return {name: value.decode("utf-8", "replace") for name, value in record.headers}


async def _letters(topic: str) -> list[Any]:
    names = [t.dead_letters for t in TOPICS if not topic or topic in (t.name, t.dead_letters)]
    if not names:
        raise fail(f"no topic {topic!r}: known are {', '.join(t.name for t in TOPICS)}")
    return [record async for record in records_until_end(running().operator(), names)]


@app.command("list")
def list_letters(topic: Annotated[str, typer.Argument(help="One topic; else all.")] = "") -> None:
    """Dead letters, counted by topic, step, kind and reason."""
    counted: Counter[tuple[str, str, str, str]] = Counter()
    for record in asyncio.run(_letters(topic)):
        headers = _headers(record)
        counted[
            record.topic,
            headers.get(Header.STEP, ""),
            headers.get(Header.KIND, ""),
            headers.get(Header.REASON, ""),
        ] += 1
    table = Table("count", "topic", "step", "kind", "reason", box=None, pad_edge=False)
    for (name, step, kind, reason), count in counted.most_common(100):
        table.add_row(str(count), name, step, kind, reason)
    console.print(table)
    console.print(f"{sum(counted.values())} dead letters")


@app.command()
def show(topic: str, partition: int, offset: int) -> None:
    """One dead letter: why, where, when, and the beginning of its bytes."""
    for record in asyncio.run(_letters(topic)):
        if (record.partition, record.offset) == (partition, offset):
            for name, value in _headers(record).items():
                console.print(f"{name}: {value}", highlight=False, markup=False)
            console.print(f"key: {record.key!r}", highlight=False, markup=False)
            body = record.value or b""
            console.print(f"value ({len(body)} bytes): {body[:SHOWN_BYTES]!r}", highlight=False, markup=False)
            return
    raise fail(f"no dead letter at {topic} {partition}/{offset}")


@app.command()
def replay(
    topic: str,
    reason: Annotated[str, typer.Option(help="Only those whose reason holds this.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 1_000,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Put dead letters back into their topic, bytes and key unchanged. Their effect is one, however often."""
    chosen = [r for r in asyncio.run(_letters(topic)) if reason in _headers(r).get(Header.REASON, "")][:limit]
    if not chosen:
        raise fail("no such dead letters")
    if not yes and not typer.confirm(f"put {len(chosen)} records back into {topic}?"):
        raise typer.Exit(1)
    asyncio.run(_put_back(chosen))
    console.print(f"{len(chosen)} records put back")


async def _put_back(records: list[Any]) -> None:
    async with open_writer(running().operator()) as producer:
        futures = []
        for record in records:
            headers = [(n, v) for n, v in record.headers if n not in _ADDED] + [(Header.RESUMED.value, b"1")]
            origin = _headers(record)[Header.TOPIC]
            futures.append(await producer.send(origin, value=record.value, key=record.key, headers=headers))
        await asyncio.gather(*futures)


@app.command()
def resume(service: str) -> None:
    """Let a service go on that was stopped by its dead-letter limit (C76)."""
    if service not in {cls.service for cls in ALL}:
        raise fail(f"no service {service!r}")
    answer = httpx.post(running().state.addresses.url(service) + "/control/resume", timeout=10.0)
    resumed = answer.json().get("resumed", [])
    console.print(f"{service}: " + (f"resumed {', '.join(resumed)}" if resumed else "nothing was stopped"))
