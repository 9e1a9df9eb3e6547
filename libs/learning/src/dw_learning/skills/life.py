"""The life of a skill and of a soul (DATA_MODEL 2.8): who takes which step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

SkillStatus = Literal["proposed", "active", "paused", "archived"]
SkillAct = Literal["pause", "resume", "archive"]
SoulAct = Literal["pause", "resume"]

# An archived skill comes back paused, and only by an admin.
SKILL_STEPS: Final[Mapping[tuple[str, str], SkillStatus]] = {
    ("active", "pause"): "paused",
    ("paused", "resume"): "active",
    ("active", "archive"): "archived",
    ("paused", "archive"): "archived",
    ("archived", "resume"): "paused",
}
SOUL_STEPS: Final[Mapping[tuple[str, str], str]] = {
    ("approved", "pause"): "paused",
    ("paused", "resume"): "approved",
}
SKILL_EVENTS: Final[Mapping[str, str]] = {
    "pause": "skill_paused",
    "resume": "skill_resumed",
    "archive": "skill_archived",
}
SOUL_EVENTS: Final[Mapping[str, str]] = {"pause": "soul_paused", "resume": "soul_resumed"}


def skill_after(status: str, act: str) -> SkillStatus | None:
    """The status that follows; None where there is no such step."""
    return SKILL_STEPS.get((status, act))


def is_for_admins(status: str, act: str) -> bool:
    """Bringing back what was archived is not a manager's to do."""
    return (status, act) == ("archived", "resume")
