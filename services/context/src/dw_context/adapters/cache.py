"""The wall behind which packs will be cached (C71). Until then each pack comes from PostgreSQL, and a change only counts."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(slots=True)
class PackCache:
    """Nothing is kept, so nothing can be stale; `dropped` says that the topic arrives."""

    dropped: int = 0

    def drop(self, org_id: UUID, role_agent_id: UUID | None) -> None:
        """Forget the agent, or every agent of the org where no agent is named."""
        self.dropped += 1
