"""Refusals of the panel, each said once."""

from __future__ import annotations

from typing import Final

from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_learning.authority import Denied
from dw_runtime import ProblemError

NO_SUCH_ORG: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such org, or it is not yours")
NO_SUCH_ITEM: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such item")
NO_SUCH_AGENT: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such role-agent, or it is not yours")
NO_SUCH_MEMORY: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such memory, or it is not yours")
NO_SUCH_TOMBSTONE: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such tombstone")
NO_SUCH_CHANNEL: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such channel")
NO_SUCH_RULE: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such rule")
_DENIED: Final[dict[Denied, str]] = {
    "not_yours": "this is for the Agent Managers of the role-agent and the org's admins",
    "admins_only": "this is for admins and owners",
    "own_words": "nobody decides alone on their own words: ask another manager or an admin",
}
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="panel"'}


def unauthenticated(detail: str) -> ProblemError:
    """401 with the challenge that RFC 9110 asks for."""
    return ProblemError(problem(ProblemCode.UNAUTHENTICATED, 401, detail), _CHALLENGE)


def denied(why: Denied) -> ProblemError:
    """403: the item is there, and this is not this person's to decide."""
    return forbidden(_DENIED[why])


def forbidden(detail: str) -> ProblemError:
    """403."""
    return ProblemError(problem(ProblemCode.FORBIDDEN, 403, detail))


def conflict(detail: str, errors: tuple[FieldError, ...] = ()) -> ProblemError:
    """409."""
    return ProblemError(problem(ProblemCode.CONFLICT, 409, detail, errors))


def unfit(detail: str, errors: tuple[FieldError, ...] = ()) -> ProblemError:
    """422."""
    return ProblemError(problem(ProblemCode.INVALID_BODY, 422, detail, errors))
