"""The trace of the request or record at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dw_runtime.telemetry import ActiveSpan

_span: ContextVar[ActiveSpan | None] = ContextVar("dw_span", default=None)
_unsampled: ContextVar[str | None] = ContextVar("dw_traceparent", default=None)


@contextmanager
def current_trace(span: ActiveSpan | None, unsampled: str | None = None) -> Iterator[None]:
    """What the functions below answer within. `unsampled` is a trace that is only passed on."""
    token, other = _span.set(span), _unsampled.set(unsampled)
    try:
        yield
    finally:
        _span.reset(token)
        _unsampled.reset(other)


def current_traceparent() -> str | None:
    """What calls and records that follow carry: our own span where the trace is sampled."""
    active = _span.get()
    return active.traceparent if active is not None else _unsampled.get()


def current_trace_id() -> str:
    """The trace's id; empty where there is no trace."""
    traceparent = current_traceparent()
    return traceparent[3:35] if traceparent else ""


@contextmanager
def span(name: str, **attributes: str | int | float | bool) -> Iterator[None]:
    """A span below the current one; nothing at all where the trace is not sampled."""
    parent = _span.get()
    child = parent.telemetry.start(name, parent.traceparent, attributes) if parent is not None else None
    if child is None:
        yield
        return
    token = _span.set(child)
    failed = True
    try:
        yield
        failed = False
    finally:
        _span.reset(token)
        child.end(failed)
