"""Reading records whose header names are not UTF-8, which the client library cannot.

aiokafka decodes the names of headers while it unpacks a batch; one that is not UTF-8 makes the whole rest of its batch
unreadable, for ever. There is no switch for that. So its reader is replaced, for a while after such a name was seen, by
the slower one that aiokafka has in Python, with names that cannot fail.
"""

from __future__ import annotations

import time
from typing import Any, Final, SupportsIndex

from aiokafka.consumer import fetcher
from aiokafka.record.default_records import _DefaultRecordBatchPy
from aiokafka.record.memory_records import MemoryRecords, _MemoryRecordsPy

SECONDS: Final = 30.0
MAGIC_OF_TODAY: Final = 2
_until = 0.0


def be_lenient() -> None:
    """From now on, and for some seconds, fetched bytes are read by the reader that cannot fail on names."""
    global _until  # the client library's reader is one for the process
    _until = time.monotonic() + SECONDS
    fetcher.MemoryRecords = _reader


def _reader(data: bytes) -> Any:
    if time.monotonic() < _until:
        return _LenientRecords(data)
    fetcher.MemoryRecords = MemoryRecords
    return MemoryRecords(data)


class _Names(bytearray):
    """Bytes whose parts decode to something, whatever they are."""

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        found = super().__getitem__(at)
        return _Names(found) if isinstance(found, bytearray) else found

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return super().decode(encoding, "backslashreplace")


class _LenientBatch(_DefaultRecordBatchPy):  # type: ignore[misc]  # aiokafka has no types
    _buffer: bytearray

    def _maybe_uncompress(self) -> None:
        super()._maybe_uncompress()
        if not isinstance(self._buffer, _Names):
            self._buffer = _Names(self._buffer)


class _LenientRecords(_MemoryRecordsPy):  # type: ignore[misc]  # aiokafka has no types
    def next_batch(self, *args: Any) -> Any:
        following = self._next_slice
        if following is None or following[self.MAGIC_OFFSET] < MAGIC_OF_TODAY:
            return super().next_batch(*args)
        self._cache_next()
        return _LenientBatch(following)
