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
_NAMED: Final = frozenset({*_ORG, *_AGENT})


def read_rows(body: bytes) -> tuple[list[Row], bool]:
    """The rows of the body, and whether it was a batch. A body that is no strict JSON is refused as a whole."""
    try:
        value = loads(body)
    except NotStrictJson as error:
        raise ProblemError(problem(ProblemCode.INVALID_JSON, 400, str(error))) from None
    if "events" not in value:
        return [value], False
    if (unknown := unknown_version(value)) is not None:
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
    if (unknown := unknown_version(row)) is not None:
        return unknown
    try:
        return InboundEvent.model_validate(row)
    except ValidationError as error:
        return problem(ProblemCode.INVALID_BODY, 422, "the event does not fit", field_errors(error))


def unknown_version(row: Row) -> Problem | None:
    """A version that nobody knows. Whoever writes one believes it counts, so it is refused and not passed over."""
    if row.get("schema_version", KNOWN_VERSION) == KNOWN_VERSION:
        return None
    wrong = FieldError(at="schema_version", problem=f"only version {KNOWN_VERSION} is known")
    return problem(ProblemCode.INVALID_BODY, 422, "the event is of an unknown version", (wrong,))


def not_of_this_key(row: Row, org_id: UUID, agents: Collection[UUID]) -> Problem | None:
    """An org or role-agent that a row names although the key and its channel decide them: it may be there only as their
    own id. A code is refused too, since ingest knows none and could not tell another org's."""
    if row.keys().isdisjoint(_NAMED):
        return None
    for names, ids, why in (
        (_ORG, [str(org_id)], "this is not the id of the key's org; the key says the org, so leave it out"),
        (
            _AGENT,
            [str(agent) for agent in agents],
            "no role-agent with this id listens in the channel; leave it out",
        ),
    ):
        for name in names:
            if name in row and row[name] not in ids:
                what = "the event names an org or a role-agent that its key and channel do not"
                return problem(ProblemCode.FORBIDDEN, 403, what, (FieldError(at=name, problem=why),))
    return None
