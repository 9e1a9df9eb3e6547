"""Skills as readers may see them: harmless, and masked where they are sensitive and the reader no admin (C95)."""

from __future__ import annotations

from typing import Any, Final

from dw_contracts.http.skills import SkillVersionView, SkillView
from dw_learning import scan
from dw_learning.authority import Person, sees_text

MASKED: Final = "[hidden: admins and owners decide this]"
_SAME: Final = (
    "id", "role_agent_id", "name", "risk", "status", "active_version", "enabled", "created_by_agent", "last_approver",
    "approved_at", "open_proposals", "row_version",
)  # fmt: skip


def skill_view(row: Any, person: Person) -> SkillView:
    """One skill."""
    shown = sees_text(person, is_sensitive=row["risk"] == "sensitive")
    description = scan.inert(row["description"]) if shown else ""
    return SkillView(**{name: row[name] for name in _SAME}, description=description)


def version_view(row: Any, skill: Any, person: Person) -> SkillVersionView:
    """One version of it."""
    shown = sees_text(person, is_sensitive=skill["risk"] == "sensitive")
    return SkillVersionView(
        version=row["version"],
        body_md=scan.inert(row["body_md"]) if shown else MASKED,
        change_summary=scan.inert(row["change_summary"]) if shown else "",
        status=row["status"],
        approver=row["approver"],
        approved_at=row["approved_at"],
        base_version=row["base_version"],
    )
