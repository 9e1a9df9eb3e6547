"""dw dlq list, show, replay, resume: what could not be read, and putting it back once it can."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from dw_cli.local import console, counted, fail, print_rows, running
from dw_contracts.dead_letters import Header
from dw_contracts.settings import ALL
from dw_contracts.topics import TOPICS
from dw_devstack.topic_reader import open_writer, records_until_end

app = typer.Typer(no_args_is_help=True, help=__doc__)
SHOWN_BYTES = 600
SHOWN_REASON = 120
_ADDED = frozenset(header.value for header in Header)


def _headers(record: Any) -> dict[str, str]:
    return {name: value.decode("utf-8", "replace") for name, value in record.headers}


async def _letters(topic: str) -> list[Any]:
    names = [t.dead_letters for t in TOPICS if not topic or topic in (t.name, t.dead_letters)]
    if not names:
        raise fail(f"no topic {topic!r}: known are {', '.join(t.name for t in TOPICS)}")
    return [record async for record in records_until_end(running().operator(), names)]


@app.command("list")
def list_letters(
    topic: Annotated[str, typer.Argument(help="One topic: a row a dead letter; else counts of all.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="Rows at most; of one topic the newest.")] = 200,
) -> None:
    """Dead letters. Of all topics how many, by topic, step, kind and reason; of one topic each with its partition and
    offset, by which `dw dlq show` finds it."""
    letters = asyncio.run(_letters(topic))
    if topic:
        newest = sorted(letters, key=lambda r: (r.timestamp, r.partition, r.offset))[-limit:]
        rows = [_row(record) for record in newest]
        print_rows(("partition", "offset", "at", "from", "kind", "reason"), rows)
        more = f"; shown are the newest {limit} (--limit)" if len(letters) > limit else ""
    else:
        alike = Counter(
            (record.topic, *(headers.get(name, "") for name in (Header.STEP, Header.KIND, Header.REASON)))
            for record in letters
            for headers in (_headers(record),)
        )
        often = alike.most_common(limit)
        rows = [(str(count), name, step, kind, _line(why)) for (name, step, kind, why), count in often]
        print_rows(("count", "topic", "step", "kind", "reason"), rows)
        left = len(alike) - len(often)
        more = f"; left out: {counted(left, 'row')} of the fewest (--limit)" if left else ""
    console.print(f"{counted(len(letters), 'dead letter')}{more}", highlight=False)


def _row(record: Any) -> tuple[str, ...]:
    headers = _headers(record)
    origin = "/".join(headers.get(name, "?") for name in (Header.TOPIC, Header.PARTITION, Header.OFFSET))
    at = datetime.fromtimestamp(record.timestamp / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    kind, reason = headers.get(Header.KIND, ""), headers.get(Header.REASON, "")
    return str(record.partition), str(record.offset), at, origin, kind, _line(reason)


def _line(reason: str) -> str:
    """As one line that a person reads at a glance."""
    line = " ".join("".join(c if c.isprintable() else " " for c in reason).split())
    return line if len(line) <= SHOWN_REASON else line[: SHOWN_REASON - 1] + "…"


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
    if not yes and not typer.confirm(f"put {counted(len(chosen), 'record')} back into {topic}?"):
        raise typer.Exit(1)
    asyncio.run(_put_back(chosen))
    console.print(f"{counted(len(chosen), 'record')} put back", highlight=False)


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
    import httpx  # no other command here needs it

    answer = httpx.post(running().state.addresses.url(service) + "/control/resume", timeout=10.0)
    resumed = answer.json().get("resumed", [])
    console.print(f"{service}: " + (f"resumed {', '.join(resumed)}" if resumed else "nothing was stopped"))
