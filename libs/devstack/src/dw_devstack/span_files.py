"""Spans of a stack without a collector: read from files, drawn as a waterfall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

WIDTH = 36


@dataclass(frozen=True, slots=True)
class Span:
    """One line of a span file."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    service: str
    start_ns: int
    end_ns: int
    attributes: dict[str, Any]
    failed: bool


def read_spans(folder: Path) -> Iterator[Span]:
    """All spans in the folder's files. A line that was cut by a crash is left out."""
    for path in sorted(folder.glob("*.jsonl*")):
        with path.open("rb") as file:
            for line in file:
                try:
                    raw = orjson.loads(line)
                    yield Span(
                        trace_id=raw["trace_id"],
                        span_id=raw["span_id"],
                        parent_id=raw.get("parent_id") or None,
                        name=raw["name"],
                        service=raw["service"],
                        start_ns=int(raw["start_ns"]),
                        end_ns=int(raw["end_ns"]),
                        attributes=raw.get("attributes") or {},
                        failed=str(raw.get("status", "")).lower() == "error",
                    )
                except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
                    continue


def trace_of_event(spans: Iterable[Span], event_id: str) -> list[Span]:
    """The spans of every trace that touched the event, oldest first."""
    everything = list(spans)
    traces = {span.trace_id for span in everything if span.attributes.get("dw.event_id") == event_id}
    return sorted((span for span in everything if span.trace_id in traces), key=lambda span: span.start_ns)


def waterfall(spans: list[Span]) -> list[str]:
    """One line a span: bar, start and duration in ms, service and name, indented under its parent."""
    if not spans:
        return []
    first = min(span.start_ns for span in spans)
    total = max(1, max(span.end_ns for span in spans) - first)
    known = {span.span_id: span for span in spans}
    children: dict[str | None, list[Span]] = {}
    for span in spans:
        children.setdefault(span.parent_id if span.parent_id in known else None, []).append(span)
    return [_line(span, depth, first, total) for span, depth in _walk(children, None, 0)]


def _walk(
    children: dict[str | None, list[Span]], parent: str | None, depth: int
) -> Iterator[tuple[Span, int]]:
    for span in sorted(children.get(parent, []), key=lambda child: child.start_ns):
        yield span, depth
        yield from _walk(children, span.span_id, depth + 1)


def _line(span: Span, depth: int, first: int, total: int) -> str:
    start = round((span.start_ns - first) / total * WIDTH)
    length = max(1, round((span.end_ns - span.start_ns) / total * WIDTH))
    bar = (" " * min(start, WIDTH - 1) + "█" * length)[:WIDTH].ljust(WIDTH)
    at, took = (span.start_ns - first) / 1e6, (span.end_ns - span.start_ns) / 1e6
    mark = " !" if span.failed else ""
    return f"{bar} {at:8.1f} ms +{took:7.1f}  {'  ' * depth}{span.name}{mark}"
