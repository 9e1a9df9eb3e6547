"""The limit that stops a consumer which would pour its topic away (C76)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from dw_contracts.dead_letters import FailureKind
from dw_runtime.dead_letter import Letter
from dw_runtime.records import Record

COUNTED: Final = frozenset({FailureKind.BUG, FailureKind.UNKNOWN_VERSION})
WINDOW: Final = 1_000
_ORG_LENGTH: Final = 36


@dataclass(frozen=True, slots=True)
class _Seen:
    """Records in a row that went well, or one that did not."""

    records: int
    orgs: AbstractSet[bytes]
    bad: bool


class DeadLetterLimit:
    """Counts bugs and unknown versions alone, over at least two orgs if more than one had traffic: hostile input,
    and one org's broken gateway, never trip it. One a consumer."""

    def __init__(self, run: int, ratio: float) -> None:
        self._longest_run = run
        self._most_bad = ratio * WINDOW
        self._window: deque[_Seen] = deque()
        self._records = 0
        self._run: list[bytes] = []

    def good(self, records: int, orgs: AbstractSet[bytes]) -> None:
        """Records that count for nothing: they went well, or died of what they are."""
        self._run.clear()
        self._add(_Seen(records, orgs, bad=False))

    def bad(self, org: bytes) -> bool:
        """One bug or unknown version; True if the limit is exceeded now."""
        self._run.append(org)
        self._add(_Seen(1, frozenset((org,)), bad=True))
        return self._exceeded()

    def reset(self) -> None:
        """Start anew, after a person has looked."""
        self._window.clear()
        self._records = 0
        self._run.clear()

    def _add(self, seen: _Seen) -> None:
        self._window.append(seen)
        self._records += seen.records
        while self._records - self._window[0].records >= WINDOW:
            self._records -= self._window.popleft().records

    def _exceeded(self) -> bool:
        bad = [seen for seen in self._window if seen.bad]
        by_run = len(self._run) >= self._longest_run and self._enough_orgs(set(self._run))
        by_ratio = len(bad) >= self._most_bad and self._enough_orgs(
            {org for seen in bad for org in seen.orgs}
        )
        return by_run or by_ratio

    def _enough_orgs(self, bad: AbstractSet[bytes]) -> bool:
        traffic = {org for seen in self._window for org in seen.orgs} | bad
        return len(bad) >= min(2, len(traffic))


def judge(limit: DeadLetterLimit, records: Sequence[Record], letters: Sequence[Letter]) -> bool:
    """Note a batch in its order. True if the limit is exceeded now."""
    counted = {
        (letter.record.partition, letter.record.offset) for letter in letters if letter.kind in COUNTED
    }
    if not counted:
        limit.good(len(records), {org_of(record.key) for record in records})
        return False
    exceeded = False
    for record in records:
        if (record.partition, record.offset) in counted:
            exceeded |= limit.bad(org_of(record.key))
        else:
            limit.good(1, {org_of(record.key)})
    return exceeded


def org_of(key: bytes | None) -> bytes:
    """The org that a record's key names; records without a key count as one org."""
    return (key or b"")[:_ORG_LENGTH]
