"""The limit that stops a consumer which would pour its topic away (C76)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

WINDOW = 1_000
MIN_WINDOW = 20
MIN_ORGS = 2


class DeadLetterLimit:
    """Counts bugs and unknown versions alone, over at least two orgs if more than one had traffic: hostile input,
    and one org's broken gateway, never trip it. Not thread-safe; one a consumer."""

    def __init__(self, run: int, ratio: float) -> None:
        self._run_limit = run
        self._ratio = ratio
        self._window: deque[tuple[bool, bytes]] = deque(maxlen=WINDOW)
        self._run: list[bytes] = []

    def saw(self, records: Iterable[tuple[bool, bytes]]) -> bool:
        """Note records in order, each with whether it counts and its org; True if the limit is exceeded now."""
        for counts, org in records:
            self._window.append((counts, org))
            if counts:
                self._run.append(org)
            else:
                self._run.clear()
        return self._exceeded()

    def reset(self) -> None:
        """Start anew, after a person has looked."""
        self._window.clear()
        self._run.clear()

    def _exceeded(self) -> bool:
        bad = [org for counts, org in self._window if counts]
        by_run = len(self._run) >= self._run_limit and self._enough_orgs(self._run)
        by_ratio = (
            len(self._window) >= max(MIN_WINDOW, self._run_limit)
            and len(bad) / len(self._window) > self._ratio
            and self._enough_orgs(bad)
        )
        return by_run or by_ratio

    def _enough_orgs(self, bad: list[bytes]) -> bool:
        traffic = {org for _, org in self._window}
        return len(set(bad)) >= min(MIN_ORGS, len(traffic))


def org_of(key: bytes | None) -> bytes:
    """The org that a record's key names; records without a key count as one org."""
    return (key or b"").partition(b":")[0][:64]
