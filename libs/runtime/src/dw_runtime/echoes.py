"""What somebody sent may hold a secret, and a refusal must not say it again (C53): it would end in their log, not ours.

Here is where refusals are made fit to be said. Names of fields that are unknown to us are repeated only where they look
like one, the rest is shortened and goes through the scan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from dw_contracts.http.org_file import CODE
from dw_contracts.http.problem import FieldError, Problem
from dw_contracts.json_places import is_plain_name
from dw_learning.scan import cleaned, inert

MOST_BYTES: Final = 1_000
UNKNOWN: Final = "(a name that is not shown)"


def place(loc: Sequence[Any], kind: str) -> str:
    """Where in the body, from an entry of a pydantic error. The last part of an unknown field is the sender's own word."""
    parts = [str(part) for part in loc]
    if kind == "extra_forbidden" and parts and not is_plain_name(parts[-1]):
        parts[-1] = UNKNOWN
    return ".".join(parts)


def without_echo(found: Problem) -> Problem:
    """The problem as it may be said: no secret, no hidden sign, no text of any length that was sent."""
    errors = tuple(FieldError(at=_said(one.at), problem=_said(one.problem)) for one in found.errors)
    return found.model_copy(update={"detail": _said(found.detail), "errors": errors})


def code_or_hint(text: str) -> str:
    """A code of an org that was asked for and is not there; what cannot be one is not repeated."""
    return text if re.fullmatch(CODE, text) else UNKNOWN


def _said(text: str) -> str:
    return inert(cleaned(text, most_bytes=MOST_BYTES, judge=False).text)
