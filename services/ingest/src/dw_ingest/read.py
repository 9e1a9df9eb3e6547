"""From bytes to rows: one event or a batch, read strictly."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from dw_contracts.http.ingest import MAX_BATCH_EVENTS, InboundEvent
from dw_contracts.http.problem import FieldError, Problem, ProblemCode, problem
from dw_contracts.strict_json import NotStrictJson, loads
from dw_runtime import ProblemError, field_errors

Row = dict[str, Any]


def read_rows(body: bytes) -> tuple[list[Row], bool]:
    """The rows of the body, and whether it was a batch. A body that is no strict JSON is refused as a whole."""
    try:
        value = loads(body)
    except NotStrictJson as error:
        raise ProblemError(problem(ProblemCode.INVALID_JSON, 400, str(error))) from None
    if "events" not in value:
        return [value], False
    rows = value["events"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_BATCH_EVENTS:
        here = f", and here are {len(rows)}" if isinstance(rows, list) else ""
        wrong = FieldError(at="events", problem=f"a list of 1 to {MAX_BATCH_EVENTS} events is needed{here}")
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 422, "the batch does not fit", (wrong,)))
    return rows, True


def read_event(row: Any) -> InboundEvent | Problem:
    """One row as an event, or what is wrong with it and where. Values never stand in the answer."""
    if not isinstance(row, dict):
        return problem(ProblemCode.INVALID_BODY, 422, "an event is an object")
    try:
        return InboundEvent.model_validate(row)
    except ValidationError as error:
        return problem(ProblemCode.INVALID_BODY, 422, "the event does not fit", field_errors(error))
