"""What a page of memory and skills lists, as its address says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args
from urllib.parse import urlencode

from dw_panel.carried import carried

Tab = Literal["memory", "skills"]
MemoryStatus = Literal["active", "superseded", "archived", "deleted", "any"]
SkillStatus = Literal["", "proposed", "active", "paused", "archived"]
Status = Literal["", "active", "superseded", "archived", "deleted", "any", "proposed", "paused"]
"""Of both tabs; a tab passes over what is none of its own."""
ORG: Final = "org"
"""Instead of a role-agent: what the whole org knows."""


@dataclass(frozen=True, slots=True)
class KnowledgeFilter:
    """All that a link of the page keeps. `agent` is an id, ORG, or nothing for the first one."""

    agent: str = ""
    tab: Tab = "memory"
    status: Status = ""
    q: str = ""
    cursor: str = ""

    @property
    def memory_status(self) -> MemoryStatus:
        """What is told to the agent, unless another is chosen."""
        return next((s for s in get_args(MemoryStatus) if s == self.status), "active")

    @property
    def skill_status(self) -> SkillStatus:
        """All of them, unless one is chosen."""
        return next((s for s in get_args(SkillStatus) if s == self.status), "")

    def link(self, **changed: Any) -> str:
        """The query of an address, with & at its end. A changed filter begins at the first page."""
        asked = replace(self, **{"cursor": ""} | changed)
        kept = [(found.name, getattr(asked, found.name)) for found in fields(asked)]
        return urlencode([(name, value) for name, value in kept if value]) + "&"

    @property
    def back(self) -> str:
        """What a form carries, so that its answer shows the same list."""
        return self.link().rstrip("&")


def read_back(text: str) -> KnowledgeFilter:
    """The filter that a form carried."""
    known = {found.name for found in fields(KnowledgeFilter)} - {"cursor"}
    values: dict[str, Any] = {**carried(text, known, {"tab": get_args(Tab), "status": get_args(Status)})}
    return KnowledgeFilter(**values)
