"""OpenTelemetry with as little as it takes: spans only where a trace is sampled, no generic instrumentation.

The generic instrumentations cost more than half of a route's requests a second (MEASURED.md f), so that ours are
written by hand, one a record and stage, one a request.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    Tracer,
    set_span_in_context,
)

MAX_SPAN_FILE_BYTES = 64 * 1024 * 1024
FLUSH_MS = 500


class FileSpanExporter(SpanExporter):
    """One JSON object a span and line, in one file a service; a full file is moved aside once."""

    def __init__(self, folder: Path, service: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{service}.jsonl"
        self._service = service
        self._lock = threading.Lock()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Append the spans. Runs on the exporter's thread."""
        lines = b"".join(
            orjson.dumps(_as_line(span, self._service), option=orjson.OPT_APPEND_NEWLINE) for span in spans
        )
        with self._lock:
            if self._path.exists() and self._path.stat().st_size > MAX_SPAN_FILE_BYTES:
                self._path.replace(self._path.with_suffix(".jsonl.1"))
            with self._path.open("ab") as file:
                file.write(lines)
        return SpanExportResult.SUCCESS


def _as_line(span: ReadableSpan, service: str) -> dict[str, Any]:
    context = span.get_span_context()
    return {
        "trace_id": f"{context.trace_id:032x}" if context else "",
        "span_id": f"{context.span_id:016x}" if context else "",
        "parent_id": f"{span.parent.span_id:016x}" if span.parent else None,
        "name": span.name,
        "service": service,
        "start_ns": span.start_time,
        "end_ns": span.end_time,
        "attributes": dict(span.attributes or {}),
        "status": span.status.status_code.name.lower(),
    }


class ActiveSpan:
    """A span that runs, and the traceparent that its children carry."""

    __slots__ = ("span", "telemetry", "traceparent")

    def __init__(self, span: Span, telemetry: Telemetry) -> None:
        self.span = span
        self.telemetry = telemetry
        context = span.get_span_context()
        self.traceparent = f"00-{context.trace_id:032x}-{context.span_id:016x}-01"

    def end(self, failed: bool = False) -> None:
        """Close it."""
        if failed:
            self.span.set_status(Status(StatusCode.ERROR))
        self.span.end()


class Telemetry:
    """A tracer of one process. Every span it is asked for is made: whoever asks has seen the sampled flag."""

    def __init__(
        self, service: str, *, otlp_endpoint: str = "", trace_dir: str = "", sample: float = 1.0
    ) -> None:
        self._service = service
        self._sample = sample
        self._provider: TracerProvider | None = None
        exporter: SpanExporter | None = None
        if otlp_endpoint:
            exporter = OTLPSpanExporter(endpoint=otlp_endpoint.rstrip("/") + "/v1/traces")
        elif trace_dir:
            exporter = FileSpanExporter(Path(trace_dir), service)
        if exporter is not None:
            self._provider = TracerProvider(
                sampler=ALWAYS_ON,
                resource=Resource.create({"service.name": f"dw-{service}"}),
                shutdown_on_exit=False,
            )
            self._provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=FLUSH_MS))
        self._tracer: Tracer | None = self._provider.get_tracer("dw") if self._provider else None

    @property
    def enabled(self) -> bool:
        """False where spans would go nowhere."""
        return self._tracer is not None

    def start(
        self,
        name: str,
        parent: str | None,
        attributes: Mapping[str, str | int | float | bool],
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> ActiveSpan | None:
        """A child of `parent`, which is well-formed, or a root. None where spans go nowhere."""
        if self._tracer is None:
            return None
        span = self._tracer.start_span(name, context=_context(parent), kind=kind, attributes=dict(attributes))
        return ActiveSpan(span, self)

    def samples_root(self) -> bool:
        """Head sampling of requests that bring no traceparent."""
        return self._tracer is not None and random.random() < self._sample

    def shutdown(self) -> None:
        """Flush what is buffered."""
        if self._provider is not None:
            self._provider.shutdown()


def _context(parent: str | None) -> Context:
    if parent is None:
        return Context()
    context = SpanContext(
        trace_id=int(parent[3:35], 16),
        span_id=int(parent[36:52], 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    return set_span_in_context(NonRecordingSpan(context), Context())
