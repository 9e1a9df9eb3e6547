"""From what an org is and what its file says to the steps between (C74). Pure, so that a dry run is the same plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dw_contracts.http.org_file import PlanStep

Rows = Mapping[str, Mapping[str, Any]]


def steps(kind: str, current: Rows, desired: Rows) -> list[PlanStep]:
    """One step for each desired row: create, update with what changes, or same. What the file does not name is left
    alone."""
    return [_step(kind, name, current.get(name), row) for name, row in desired.items()]


def _step(kind: str, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> PlanStep:
    if before is None:
        return PlanStep(action="create", kind=kind, name=name)
    changes = {
        field: (_shown(before.get(field)), _shown(value))
        for field, value in after.items()
        if before.get(field) != value
    }
    return PlanStep(action="update" if changes else "same", kind=kind, name=name, changes=changes)


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(sorted(map(str, value)))
    return "" if value is None else str(value)
