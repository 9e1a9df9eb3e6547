"""What an agent knows and waits for, as one batch of decisions changes it step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dw_learning.decision.facts import AgentFacts, Caps, ItemFacts, MemoryFacts, PendingFacts, SourceFacts
from dw_learning.normal import content_hash
from dw_learning.policy_rules import RuleBook
from dw_learning.signals import signal

Subject = UUID | None
SourceKey = tuple[UUID, str]  # channel, message_ref


@dataclass(slots=True)
class AgentState:
    """One agent's slice of the store that a batch needs. Loaded once a batch, then kept current by `remember…`
    so that the second message of a batch sees what the first one taught."""

    agent: AgentFacts
    caps: Caps
    memories_by_key: dict[tuple[str, Subject], MemoryFacts] = field(default_factory=dict)
    memories_by_hash: dict[tuple[bytes, Subject], MemoryFacts] = field(default_factory=dict)
    memories_by_source: dict[SourceKey, list[MemoryFacts]] = field(default_factory=dict)
    items_by_source: dict[SourceKey, list[UUID]] = field(default_factory=dict)
    tombstones: set[bytes] = field(default_factory=set)
    tombstone_signals: set[str] = field(default_factory=set)
    hidden: dict[str, bool] = field(
        default_factory=dict
    )  # rejected signals, and whether a verified person had said it
    rules: RuleBook = field(default_factory=RuleBook)
    org_by_key: dict[str, str] = field(default_factory=dict)  # what the whole org knows, by key
    pending_by_source: dict[SourceKey, list[PendingFacts]] = field(default_factory=dict)
    items: dict[str, ItemFacts] = field(default_factory=dict)
    sources: dict[SourceKey, SourceFacts] = field(default_factory=dict)
    decided_until: datetime | None = None
    saves_today: int = 0
    unverified_saves_today: int = 0
    open_items: int = 0
    unpublished_items: int = 0
    open_by_sender: dict[str, int] = field(default_factory=dict)
    unpublished_by_sender: dict[str, int] = field(default_factory=dict)

    def add_memory(self, memory: MemoryFacts, sources: Iterable[SourceKey] = ()) -> None:
        """A memory is active from here on."""
        self.memories_by_key[(memory.key, memory.subject_identity)] = memory
        self.memories_by_hash[(memory.content_hash, memory.subject_identity)] = memory
        for source in sources:
            self.memories_by_source.setdefault(source, []).append(memory)

    def drop_memory(self, memory_id: UUID) -> None:
        """A memory is no longer active."""
        for index in (self.memories_by_key, self.memories_by_hash):
            for key in [key for key, memory in index.items() if memory.memory_id == memory_id]:
                del index[key]  # type: ignore[arg-type]  # both indexes are walked alike
        for memories in self.memories_by_source.values():
            memories[:] = [memory for memory in memories if memory.memory_id != memory_id]

    def add_item_source(self, item_id: UUID, source: SourceKey) -> None:
        """A pending item rests on this message."""
        known = self.items_by_source.setdefault(source, [])
        if item_id not in known:
            known.append(item_id)

    def is_buried(self, content: str, hashed: bytes) -> bool:
        """Is there a tombstone for this text, or for one that says the same (D18)?"""
        return hashed in self.tombstones or signal(content) in self.tombstone_signals

    def bury(self, content: str) -> None:
        """It does not come back from here on."""
        self.tombstones.add(content_hash(content))
        self.tombstone_signals.add(signal(content))

    def decided(self, received_at: datetime) -> None:
        """A sealed event of this time was decided (C79)."""
        if self.decided_until is None or received_at > self.decided_until:
            self.decided_until = received_at

    def saw(self, source: SourceKey, revision: int, deleted: bool) -> None:
        """A message was seen in this revision, or deleted (C52)."""
        known = self.sources.get(source)
        newest = max(revision, known.newest_revision) if known else revision
        self.sources[source] = SourceFacts(newest, deleted or (known is not None and known.deleted))
