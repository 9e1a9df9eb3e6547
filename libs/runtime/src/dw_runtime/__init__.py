"""The chassis of every process: settings, logs, telemetry, broker, consumer, dead letters, relay, health."""

from dw_runtime.at_once import Ready
from dw_runtime.bodies import read_body, read_model
from dw_runtime.chassis import Chassis
from dw_runtime.current import current_trace_id, current_traceparent, span
from dw_runtime.failures import Permanent, ProblemError, Transient, field_errors
from dw_runtime.logs import configure_logging, log
from dw_runtime.periodic import every
from dw_runtime.problems import problem_response
from dw_runtime.publisher import Publisher
from dw_runtime.reading import check_key, describe, parse_json, parse_message, parse_raw
from dw_runtime.records import Failed, Handled, Outgoing, Received, Record
from dw_runtime.relay import OutboxRelay
from dw_runtime.resources import Handle
from dw_runtime.serve import serve
from dw_runtime.settings import BadSettings, load_settings

__all__ = [
    "BadSettings",
    "Chassis",
    "Failed",
    "Handle",
    "Handled",
    "OutboxRelay",
    "Outgoing",
    "Permanent",
    "ProblemError",
    "Publisher",
    "Ready",
    "Received",
    "Record",
    "Transient",
    "check_key",
    "configure_logging",
    "current_trace_id",
    "current_traceparent",
    "describe",
    "every",
    "field_errors",
    "load_settings",
    "log",
    "parse_json",
    "parse_message",
    "parse_raw",
    "problem_response",
    "read_body",
    "read_model",
    "serve",
    "span",
]
