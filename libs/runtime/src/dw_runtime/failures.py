"""Three kinds of failure (rule 19): transient, permanent, bug. Handlers raise the first two; the rest is a bug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dw_contracts.dead_letters import FailureKind
from dw_contracts.http.problem import FieldError, Problem


class Transient(Exception):
    """May go well a moment later: tried again with backoff, never a dead letter, never a commit."""


class Permanent(Exception):
    """This record will never do: a dead letter now. `reason` names fields and rules, never the text itself."""

    def __init__(self, reason: str, kind: FailureKind = FailureKind.PERMANENT) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind


class ProblemError(Exception):
    """Refuses an HTTP request with a problem detail (RFC 9457)."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(problem.detail or problem.title)
        self.problem = problem
        self.headers = dict(headers or {})


def field_errors(error: Any, *, at: str = "") -> tuple[FieldError, ...]:
    """A pydantic ValidationError as places and problems, without the values; at most 20."""
    prefix = f"{at}." if at else ""
    return tuple(
        FieldError(at=(prefix + ".".join(map(str, entry["loc"]))).rstrip(".") or "body", problem=entry["msg"])
        for entry in error.errors(include_input=False, include_url=False, include_context=False)[:20]
    )
