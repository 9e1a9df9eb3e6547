"""The chain over the audit log (C72): each entry holds the one before it, so that nothing can be changed, taken out or
moved without showing.

It covers ids, types, times and the salted digest of the texts, never the texts: those can be erased, and the chain
still holds. A chain that was cut off at its end, or made anew as a whole, shows only against a head that was noted
elsewhere before: `dw audit verify` prints one and takes one. Pure.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal
from uuid import UUID

import orjson

MAX_FINDINGS: Final = 100
FIELDS: Final = (
    "id", "event_id", "org_id", "role_agent_id", "event_type", "actor_type", "actor_id", "on_behalf_of", "subject_type",
    "subject_id", "digest", "source_event_id", "request_id", "trace_id", "at",
)  # fmt: skip
ERASURES: Final = frozenset({"person_erased", "memory_purged"})
Fault = Literal[
    "removed",
    "changed",
    "reordered",
    "unlinked",
    "gap",
    "text_changed",
    "text_removed",
    "erased_without_record",
    "unsealed",
    "head_unknown",
]
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Body:
    """The texts of an event, beside it. Erased ones are empty, salt included."""

    salt: bytes
    reason: str
    before: Any
    after: Any
    erased: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One place of the chain with what stands there now; `event` None: it is gone."""

    position: int
    event_id: UUID
    prev_hash: bytes
    hash: bytes
    event: Event | None
    body: Body | None


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and where: position 0 is the chain as a whole."""

    position: int
    event_id: UUID | None
    fault: Fault


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found. `head` is the place and hash to note for the next time."""

    sealed: int
    erased: int
    waiting: int
    head: tuple[int, str]
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Nothing is wrong."""
        return not self.findings


def genesis(org_id: UUID) -> bytes:
    """What the first entry of an org holds: the chain of one org cannot be put in another's place."""
    return hashlib.sha256(b"dw-audit-chain-1:" + str(org_id).encode()).digest()


def entry_hash(prev_hash: bytes, event: Event) -> bytes:
    """The hash of an entry over the one before it and every field of the event's row."""
    return hashlib.sha256(prev_hash + orjson.dumps([_plain(event[name]) for name in FIELDS])).digest()


def body_digest(salt: bytes, reason: str, before: Any, after: Any) -> bytes:
    """The salted digest of an event's texts."""
    body = {"reason": reason, "before": before, "after": after}
    return hashlib.sha256(salt + orjson.dumps(body, default=str, option=orjson.OPT_SORT_KEYS)).digest()


def _plain(value: Any) -> Any:
    if value is None or type(value) is str or type(value) is int:  # most are
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return value if value is None or isinstance(value, int) else str(value)


@dataclass(slots=True)
class Verifier:
    """Reads a chain from its beginning, in order, in as many pieces as one likes."""

    org_id: UUID
    noted: tuple[int, str] | None = None
    _position: int = 0
    _hash: bytes = b""
    _sealed: int = 0
    _erased: int = 0
    _has_record: bool = False
    _noted_found: bool = False
    _findings: list[Finding] = field(default_factory=list)
    _broken: list[Entry] = field(default_factory=list)

    def read(self, entries: Sequence[Entry]) -> None:
        """The next entries, by position."""
        for entry in entries:
            self._read(entry)

    def report(self, *, waiting: int, overdue: Sequence[UUID]) -> Report:
        """After the last entry. `waiting` events have no place yet; those in `overdue` should have had one."""
        for event_id in overdue:
            self._find(0, event_id, "unsealed")
        for entry in self._broken:
            moved = any(_fits(entry, other) for other in self._broken if other is not entry)
            self._find(entry.position, entry.event_id, "reordered" if moved else "changed")
        if self._erased and not self._has_record:
            self._find(0, None, "erased_without_record")
        if self.noted is not None and self.noted[0] > 0 and not self._noted_found:
            self._find(self.noted[0], None, "head_unknown")
        findings = tuple(sorted(self._findings, key=lambda found: found.position)[:MAX_FINDINGS])
        return Report(self._sealed, self._erased, waiting, (self._position, self._hash.hex()), findings)

    def _read(self, entry: Entry) -> None:
        expected = self._hash or genesis(self.org_id)
        if entry.position != self._position + 1:
            self._find(self._position + 1, None, "gap")
        elif not hmac.compare_digest(entry.prev_hash, expected):
            self._find(entry.position, entry.event_id, "unlinked")
        self._sealed += 1
        if entry.event is None:
            self._find(entry.position, entry.event_id, "removed")
        elif not hmac.compare_digest(entry_hash(entry.prev_hash, entry.event), entry.hash):
            self._broken.append(entry)
        else:
            self._read_body(entry, entry.event)
            self._has_record = self._has_record or entry.event["event_type"] in ERASURES
        self._position, self._hash = entry.position, entry.hash
        if self.noted == (entry.position, entry.hash.hex()):
            self._noted_found = True

    def _read_body(self, entry: Entry, event: Event) -> None:
        body = entry.body
        if body is None:
            self._find(entry.position, entry.event_id, "text_removed")
        elif body.erased:
            self._erased += 1
            if body.salt or body.reason or body.before is not None or body.after is not None:
                self._find(entry.position, entry.event_id, "text_changed")
        elif not hmac.compare_digest(
            body_digest(body.salt, body.reason, body.before, body.after), bytes(event["digest"])
        ):
            self._find(entry.position, entry.event_id, "text_changed")

    def _find(self, position: int, event_id: UUID | None, fault: Fault) -> None:
        if len(self._findings) < 10 * MAX_FINDINGS:
            self._findings.append(Finding(position, event_id, fault))


def _fits(place: Entry, other: Entry) -> bool:
    """The event that stands at `other` was sealed at `place`."""
    return other.event is not None and hmac.compare_digest(
        entry_hash(place.prev_hash, other.event), place.hash
    )
