"""The wall behind which packs will be cached (C71). Until then each pack comes from PostgreSQL: a change only counts."""

from __future__ import annotations

from uuid import UUID

from prometheus_client import Counter

from dw_runtime.metrics import Metrics

CHANGES_SEEN = "dw_context_changes_seen"


class PackCache:
    """Nothing is kept, so nothing can be stale."""

    def __init__(self, metrics: Metrics) -> None:
        self._seen = Counter(
            CHANGES_SEEN,
            "Changes of memory that arrived, by what they concern",
            ("scope",),
            registry=metrics.registry,
        )

    def drop(self, org_id: UUID, role_agent_id: UUID | None) -> None:
        """Forget the agent, or every agent of the org where no agent is named."""
        self._seen.labels("org" if role_agent_id is None else "role_agent").inc()

    def drop_all(self) -> None:
        """Forget everything."""
        self._seen.labels("all").inc()
