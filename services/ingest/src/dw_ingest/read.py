"""From bytes to rows: one event or a batch, read strictly."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from pydantic import ValidationError

from dw_contracts.http.ingest import MAX_BATCH_EVENTS, InboundEvent
from dw_contracts.http.problem import FieldError, Problem, ProblemCode, problem
from dw_contracts.strict_json import NotStrictJson, loads
from dw_runtime import ProblemError, field_errors

Row = dict[str, Any]
KNOWN_VERSION: Final = 1
_ORG: Final = ("org", "org_id")
_AGENT: Final = ("agent", "agent_id", "role_agent", "role_agent_id")
_NAMED: Final = frozenset({"schema_version", *_ORG, *_AGENT})


def read_rows(body: bytes) -> tuple[list[Row], bool]:
    """The rows of the body, and whether it was a batch. A body that is no strict JSON is refused as a whole."""
    try:
        value = loads(body)
    except NotStrictJson as error:
        raise ProblemError(problem(ProblemCode.INVALID_JSON, 400, str(error))) from None
    if "events" not in value:
        return [value], False
    if (unknown := not_of_this_key(value, None, ())) is not None:
        raise ProblemError(unknown)
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


def not_of_this_key(row: Any, org_id: UUID | None, agents: Collection[UUID]) -> Problem | None:
    """What a row names although the key and its channel decide it: another org, an agent that does not listen there, a
    version that nobody knows. Whoever writes it believes it counts, so it is refused and not passed over. Without an
    org (the fields beside a batch's events) the version alone is looked at."""
    if not isinstance(row, dict) or row.keys().isdisjoint(_NAMED):
        return None
    if row.get("schema_version", KNOWN_VERSION) != KNOWN_VERSION:
        wrong = FieldError(at="schema_version", problem=f"only version {KNOWN_VERSION} is known")
        return problem(ProblemCode.INVALID_BODY, 422, "the event is of an unknown version", (wrong,))
    if org_id is None:
        return None
    for name in _ORG:
        if name in row and row[name] != str(org_id):
            wrong = FieldError(at=name, problem="the key says the org: leave this out")
            return problem(ProblemCode.FORBIDDEN, 403, "this key is of another org", (wrong,))
    for name in _AGENT:
        if name in row and row[name] not in [str(agent) for agent in agents]:
            wrong = FieldError(at=name, problem="the channel says who listens: leave this out")
            return problem(ProblemCode.FORBIDDEN, 403, "that role-agent does not listen there", (wrong,))
    return None
