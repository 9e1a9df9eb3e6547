"""Which items a page of the inbox lists, as its address says it (D28). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args
from urllib.parse import urlencode
from uuid import UUID

from dw_panel.carried import carried
from dw_panel.lists import Assigned, ItemQuery
from dw_store.inbox_reads import Sort

Status = Literal["pending", "approved", "rejected", "any"]
Risk = Literal["", "low", "medium", "high", "sensitive"]
PAGE_ITEMS: Final = 50


@dataclass(frozen=True, slots=True)
class PageFilter:
    """All that a link of the page keeps."""

    status: Status = "pending"
    risk: Risk = ""
    agent: str = ""
    assigned: Assigned = ""
    overdue: str = ""
    q: str = ""
    sort: Sort = "due"
    cursor: str = ""

    def query(self, agent: UUID | None) -> ItemQuery:
        """As the use case takes it. `agent` is the one that this filter names."""
        return ItemQuery(
            agent=agent, status=self.status, risk=self.risk, assigned=self.assigned, overdue=bool(self.overdue),
            text=self.q, sort=self.sort, cursor=self.cursor, limit=PAGE_ITEMS,
        )  # fmt: skip

    def link(self, **changed: Any) -> str:
        """The query of an address, with & at its end where anything stands in it. A changed filter begins at the
        first page, and what is said by default is left out but for the status."""
        asked = replace(self, **{"cursor": ""} | changed)
        kept = [("status", asked.status)]
        for name in ("risk", "agent", "assigned", "overdue", "q", "sort", "cursor"):
            value = getattr(asked, name)
            if value and (name, value) != ("sort", "due"):
                kept.append((name, value))
        return urlencode(kept) + "&"

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return self.status != "pending" or any(
            (self.risk, self.agent, self.assigned, self.overdue, self.q, self.cursor)
        )

    @property
    def back(self) -> str:
        """What a form carries, so that its answer shows the same list; nothing where it is the whole one."""
        return self.link().rstrip("&") if self.is_narrow or self.sort != "due" else ""


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "status": get_args(Status),
    "risk": get_args(Risk),
    "assigned": get_args(Assigned),
    "sort": get_args(Sort),
}


def read_back(text: str) -> PageFilter:
    """The filter that a form carried."""
    known = {found.name for found in fields(PageFilter)} - {"cursor"}
    values: dict[str, Any] = {**carried(text, known, _CHOICES)}
    return PageFilter(**values)
