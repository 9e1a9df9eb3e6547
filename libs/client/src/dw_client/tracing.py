"""W3C trace context for callers that have no tracer of their own."""

from __future__ import annotations

import secrets


def new_traceparent(*, sampled: bool = True) -> str:
    """A fresh root. Sampled ones are followed by every service of ours, whatever their own share is."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-{'01' if sampled else '00'}"


def trace_id_of(traceparent: str) -> str:
    """The trace's id, for `dw trace`."""
    return traceparent.split("-")[1]
