"""Three kinds of failure (rule 19): transient, permanent, bug. Handlers raise the first two; the rest is a bug."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

from aiokafka.errors import KafkaError

from dw_contracts.dead_letters import FailureKind
from dw_contracts.http.problem import FieldError, Problem
from dw_contracts.model import in_our_words
from dw_runtime.echoes import place
from dw_store.errors import StoreConflict, StoreUnavailable

MAX_FIELD_ERRORS: Final = 20


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


# What the chassis tries again, whoever raised it. A time-out is nobody's bug: where a record of a kind would time out
# for ever, its handler has to say Permanent.
AGAIN: Final = (Transient, StoreUnavailable, StoreConflict, KafkaError, TimeoutError, ConnectionError)


def field_errors(error: Any, *, at: str = "") -> tuple[FieldError, ...]:
    """A pydantic ValidationError as places and problems, without the values; at most 20."""
    prefix = f"{at}." if at else ""
    entries = error.errors(include_input=False, include_url=False, include_context=False)
    return tuple(
        FieldError(
            at=(prefix + place(entry["loc"], entry["type"])).rstrip(".") or "body",
            problem=in_our_words(entry["msg"]),
        )
        for entry in entries[:MAX_FIELD_ERRORS]
    )


def bug(error: BaseException) -> str:
    """A bug in words that hold nothing of the record: its type and the line, never its message."""
    frames = extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"bug: {type(error).__name__}{where}"


def frames_of(error: BaseException) -> list[str]:
    """The way to the line that broke, innermost last; for the log."""
    return [
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in extract_tb(error.__traceback__)
    ][-8:]
