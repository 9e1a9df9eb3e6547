"""dw dlq list, show, replay, resume: what could not be read, and putting it back once it can."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated

import typer

from dw_cli.letters import Letter, put_back, read_letters, to_put_back
from dw_cli.local import console, counted, fail, print_rows, running
from dw_contracts.dead_letters import Header
from dw_contracts.settings import ALL
from dw_contracts.topics import TOPICS

app = typer.Typer(no_args_is_help=True, help=__doc__)
SHOWN_BYTES = 600
SHOWN_REASON = 120


def _letters(topic: str) -> list[Letter]:
    names = [t.dead_letters for t in TOPICS if not topic or topic in (t.name, t.dead_letters)]
    if not names:
        raise fail(f"no topic {topic!r}: known are {', '.join(t.name for t in TOPICS)}")
    return asyncio.run(read_letters(running().operator(), names))


@app.command("list")
def list_letters(
    topic: Annotated[str, typer.Argument(help="One topic: a row a dead letter; else counts of all.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="Rows at most; of one topic the newest.")] = 200,
) -> None:
    """Dead letters. Of all topics how many, by topic, step, kind and reason, and how many of them were put back; of one
    topic each with its partition and offset, by which `dw dlq show` finds it, and when it was put back."""
    letters = _letters(topic)
    more = _each(letters, limit) if topic else _alike(letters, limit)
    back = sum(bool(letter.put_back) for letter in letters)
    said = counted(len(letters), "dead letter") + (f", {back} put back" if back else "")
    console.print(said + more, highlight=False)


def _each(letters: list[Letter], limit: int) -> str:
    newest = sorted(letters, key=lambda one: (one.record.timestamp, one.record.partition, one.record.offset))
    rows = [_row(letter) for letter in newest[-limit:]]
    print_rows(("partition", "offset", "at", "from", "kind", "put back", "reason"), rows)
    return f"; shown are the newest {limit} (--limit)" if len(letters) > limit else ""


def _alike(letters: list[Letter], limit: int) -> str:
    def kind(letter: Letter) -> tuple[str, ...]:
        named = (letter.headers.get(name, "") for name in (Header.STEP, Header.KIND, Header.REASON))
        return (letter.record.topic, *named)

    alike, back = Counter(map(kind, letters)), Counter(kind(one) for one in letters if one.put_back)
    often = alike.most_common(limit)
    rows = [(str(count), str(back[one]), *one[:3], _line(one[3])) for one, count in often]
    print_rows(("count", "put back", "topic", "step", "kind", "reason"), rows)
    left = len(alike) - len(often)
    return f"; left out: {counted(left, 'row')} of the fewest (--limit)" if left else ""


def _row(letter: Letter) -> tuple[str, ...]:
    record = letter.record
    at = datetime.fromtimestamp(record.timestamp / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    kind, reason = letter.headers.get(Header.KIND, ""), letter.headers.get(Header.REASON, "")
    place = str(record.partition), str(record.offset)
    return *place, at, "/".join(letter.origin), kind, letter.put_back or "-", _line(reason)


def _line(reason: str) -> str:
    """As one line that a person reads at a glance."""
    line = " ".join("".join(c if c.isprintable() else " " for c in reason).split())
    return line if len(line) <= SHOWN_REASON else line[: SHOWN_REASON - 1] + "…"


@app.command()
def show(topic: str, partition: int, offset: int) -> None:
    """One dead letter: why, where, when, and the beginning of its bytes."""
    for letter in _letters(topic):
        record = letter.record
        if (record.partition, record.offset) == (partition, offset):
            for name, value in letter.headers.items():
                console.print(f"{name}: {value}", highlight=False, markup=False)
            if letter.put_back:
                console.print(f"put back: {letter.put_back}", highlight=False, markup=False)
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
    again: Annotated[bool, typer.Option("--again", help="Also those that were put back already.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Put dead letters back into their topic, bytes and key unchanged: each record once, if two readers could not read
    it, and not again what was put back already. Their effect is one, however often."""
    fitting = [one for one in _letters(topic) if reason in one.headers.get(Header.REASON, "")]
    chosen = to_put_back(fitting, limit, again=again)
    if not chosen:
        raise fail(
            "all of these were put back already: --again does it once more"
            if fitting
            else "no such dead letters"
        )
    if not yes and not typer.confirm(f"put {counted(len(chosen), 'record')} back into {topic}?"):
        raise typer.Exit(1)
    asyncio.run(put_back(running().operator(), chosen))
    console.print(f"{counted(len(chosen), 'record')} put back", highlight=False)


@app.command()
def resume(service: str) -> None:
    """Let a service go on that was stopped by its dead-letter limit (C76)."""
    if service not in {cls.service for cls in ALL}:
        raise fail(f"no service {service!r}")
    import httpx  # no other command here needs it

    answer = httpx.post(running().state.addresses.url(service) + "/control/resume", timeout=10.0)
    resumed = answer.json().get("resumed", [])
    console.print(f"{service}: " + (f"resumed {', '.join(resumed)}" if resumed else "nothing was stopped"))
