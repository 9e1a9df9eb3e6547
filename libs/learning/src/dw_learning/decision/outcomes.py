"""Everything a decision can come to: a closed union. `store.apply` does what it says and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from dw_learning.decision.facts import Risk

NoneReason = Literal[
    "no_items",
    "imported",
    "learning_off",
    "agent_disabled",
    "not_listening",
    "own_reply",
    "bot",
    "stale",
    "deleted_source",
    "duplicate",
    "tombstoned",
    "skills_off",
    "nothing_learned",
    "retract",
    "too_long",
    "no_words",
    "claim_refused",
    "hidden",
    "rule_rejects",
]
ProposeReason = Literal[
    "unverified_sender",
    "unsealed",
    "high_impact",
    "low_confidence",
    "degraded",
    "sensitive",
    "injection_suspect",
    "review_mode",
    "channel_proposes",
    "skill",
    "conflict",
    "not_own_words",
    "others_taste",
    "replayed",
    "cap",
    "edited",
    "source_deleted",
    "forget",
    "repeated_correction",
    "policy_rule",
]


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """A memory as it would be stored. Scope is always role_agent here (R89)."""

    content: str
    content_hash: bytes
    key: str
    layer: Literal["operating", "knowledge"]
    memory_type: str
    category: str
    risk: Risk
    confidence: float
    subject_identity: UUID | None


@dataclass(frozen=True, slots=True)
class Save:
    """Saved by itself: low risk, own words of a sender whom the mode trusts."""

    memory: MemoryDraft
    supersedes: UUID | None
    sender_verified: bool
    rule: str
    kind: Literal["saved"] = "saved"


@dataclass(frozen=True, slots=True)
class Propose:
    """Waits for a person. `published` is false over the open-item cap (C97)."""

    item_kind: Literal["memory_proposal", "skill_proposal", "skill_update", "review"]
    action: Literal["create", "update", "archive", "review"]
    memory: MemoryDraft
    is_sensitive: bool
    reason: ProposeReason
    explanation: str
    dedupe_key: str
    sender_verified: bool
    target_memory: UUID | None
    base_version: int | None
    published: bool
    marks: tuple[tuple[int, int], ...] = ()
    rule: str = ""
    kind: Literal["proposed"] = "proposed"


@dataclass(frozen=True, slots=True)
class Merge:
    """The same signal as a pending item: one item with more evidence (D14)."""

    item_id: UUID
    dedupe_key: str
    rule: str = "merge.same_signal"
    kind: Literal["merged"] = "merged"


@dataclass(frozen=True, slots=True)
class Block:
    """A secret, or an attack that is sure: no memory, no item, one audit event with types and spans (C25, C53)."""

    event_type: Literal["secret_blocked", "injection_blocked"]
    hits: tuple[tuple[str, int, int], ...]
    rule: str
    kind: Literal["blocked"] = "blocked"


@dataclass(frozen=True, slots=True)
class SourceChanged:
    """The message behind memories, or behind items that wait, was deleted or edited (C52): they are marked, the text
    stays."""

    change: Literal["source_deleted", "source_edited"]
    memories: tuple[UUID, ...]
    rule: str
    items: tuple[UUID, ...] = ()
    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class IdentityClaim:
    """A code that proves an account was posted (C103): a mapping waits for the person's yes, and nothing is learned."""

    mac: str
    rule: str = "identity.claimed"
    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class Stone:
    """A text that is not to come back."""

    content: str
    key: str


@dataclass(frozen=True, slots=True)
class Forget:
    """A verified speaker takes back what he said (C62): memories end, items end, and neither comes back."""

    memories: tuple[UUID, ...]
    items: tuple[UUID, ...]
    stones: tuple[Stone, ...]
    rule: str
    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing is learned, and why."""

    reason: NoneReason
    rule: str
    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class Capped:
    """Beyond what may wait unseen (C97)."""

    rule: str
    kind: Literal["capped"] = "capped"


Outcome = Save | Propose | Merge | Block | SourceChanged | IdentityClaim | Forget | Nothing | Capped


def nothing(reason: NoneReason) -> Nothing:
    """The rule of a plain refusal is named like its reason."""
    return Nothing(reason, rule=f"none.{reason}")
