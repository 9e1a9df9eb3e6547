"""Records that were begun and are not committed yet: what may be published next, and what may be committed (C77)."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dw_runtime.dead_letter import Letter
from dw_runtime.records import Received, Record

M = TypeVar("M")
_Key = tuple[int, bytes | None]


@dataclass(slots=True, eq=False)
class Entry(Generic[M]):
    """One record on its way. `letter` stands where it could not be read, or hit a bug."""

    record: Record
    received: Received[M] | None
    began: float
    letter: Letter | None = None
    result: Any = None
    ready: bool = False
    done: bool = False
    task: asyncio.Task[None] | None = None

    @property
    def key(self) -> _Key:
        """Records of one key are published in the order of their offsets."""
        return (self.record.partition, self.record.key)


class InFlight(Generic[M]):
    """Entries by partition and by key, in offset order."""

    def __init__(self) -> None:
        self._by_partition: dict[int, deque[Entry[M]]] = {}
        self._by_key: dict[_Key, deque[Entry[M]]] = {}
        self._touched: dict[_Key, None] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_partition.values()))

    def size(self, partition: int) -> int:
        """Uncommitted records of a partition."""
        return len(self._by_partition.get(partition, ()))

    def add(self, entry: Entry[M]) -> None:
        """The next record of its partition."""
        self._by_partition.setdefault(entry.record.partition, deque()).append(entry)
        self._by_key.setdefault(entry.key, deque()).append(entry)
        if entry.ready:
            self._touched[entry.key] = None

    def answered(self, entry: Entry[M]) -> None:
        """It waits for its turn to be published."""
        entry.ready = True
        self._touched[entry.key] = None

    def take_ready(self) -> list[Entry[M]]:
        """All whose turn it is, in offset order per key."""
        taken: list[Entry[M]] = []
        for key in self._touched:
            waiting = self._by_key.get(key)
            while waiting and waiting[0].ready:
                taken.append(waiting.popleft())
            if not waiting:
                self._by_key.pop(key, None)
        self._touched.clear()
        return taken

    def take_committable(self) -> list[Record]:
        """Records that are done with nothing undone before them; forgotten from here on."""
        taken: list[Record] = []
        for entries in self._by_partition.values():
            while entries and entries[0].done:
                taken.append(entries.popleft().record)
        return taken

    def oldest(self) -> float | None:
        """When the oldest of all was begun."""
        return min((entries[0].began for entries in self._by_partition.values() if entries), default=None)

    def clear(self) -> list[Entry[M]]:
        """Forget all; whoever has the partitions next gets them again."""
        left = [entry for entries in self._by_partition.values() for entry in entries]
        self._by_partition.clear()
        self._by_key.clear()
        self._touched.clear()
        return left
