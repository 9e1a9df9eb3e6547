"""How our APIs say no: a problem detail, turned into one of two errors."""

from __future__ import annotations

from typing import Any

import httpx

from dw_contracts.http.problem import Problem, ProblemCode, problem


class Refused(Exception):
    """A 4xx: the same request will be refused again. `problem` says what is wrong and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.title}: {problem.detail}".rstrip(": "))
        self.problem = problem


class Unavailable(Exception):
    """No answer, or a 5xx, after all tries: the same request may succeed later."""


def refuse_unfit_token(token: str) -> None:
    """Raise Refused for what cannot stand in a header; it is not said again."""
    if not (token.isascii() and token.isprintable()) or token != token.strip():
        detail = "the token holds signs that no token of ours has: copy it again"
        raise Refused(problem(ProblemCode.UNAUTHENTICATED, 401, detail))


def raise_for_problem(response: httpx.Response) -> None:
    """Raise Refused for a 4xx and Unavailable for a 5xx."""
    if response.status_code < 400:
        return
    found = _problem(response)
    if response.status_code >= 500:
        raise Unavailable(f"{found.status} {found.title}: {found.detail}")
    raise Refused(found)


def _problem(response: httpx.Response) -> Problem:
    try:
        body: Any = response.json()
        return Problem.model_validate(body)
    except ValueError:
        return Problem(type="about:blank", title=response.reason_phrase, status=response.status_code)
