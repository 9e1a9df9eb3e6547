"""What can go wrong with the store, for callers that know no driver. Both are worth another try."""

from __future__ import annotations


class StoreUnavailable(Exception):
    """PostgreSQL is away, too slow, or has no connection left. Nothing of the transaction was kept."""


class StoreConflict(Exception):
    """Two transactions stood in each other's way (deadlock, serialization). Nothing of this one was kept."""
