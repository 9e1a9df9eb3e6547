"""What a labelled row may say where `dw eval` reads it: an unknown label would score as a wrong answer, without a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from dw_contracts.events.chat import EventKind

LABELS: Final[Mapping[str, tuple[Any, ...]]] = {
    "label": (1, 0, "1", "0"),
    "triage": ("candidate", "skip"),
    "cls": ("skip", "memory_fact", "memory_preference", "correction", "skill_procedure", "sensitive"),
    "risk": ("low", "high", "sensitive"),
    "route": ("skip", "auto_memory", "propose_memory", "propose_skill", "sensitive"),
    "kind": tuple(kind.value for kind in EventKind),
}
OPTIONAL: Final = ("prev", "role")


def fault(row: Mapping[str, Any], labels: Iterable[str]) -> str | None:
    """What is wrong with a row of which these labels are scored; None if nothing is. A row without one of them lacks it
    only where the evaluation says so."""
    if not isinstance(row["text"], str):
        return "text is no string"
    for name in OPTIONAL:
        if not isinstance(row.get(name), str | None):
            return f"{name} is a string or null"
    return next((_words(name) for name in labels if name in row and not _is_known(name, row[name])), None)


def _is_known(name: str, value: Any) -> bool:
    # type too: True equals 1
    return any(type(value) is type(known) and value == known for known in LABELS[name])


def _words(name: str) -> str:
    *others, last = dict.fromkeys(map(str, LABELS[name]))
    return f"{name} is {', '.join(others)} or {last}"
