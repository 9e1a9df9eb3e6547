"""The four retention policies (R123 to R126, C8, C13, C59): which memory goes now, and why. Pure; time is passed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, assert_never

from dw_learning.decision.facts import AUTOMATIC_ORIGIN

RetentionPolicy = Literal["permanent_until_revoked", "ttl_7d", "ttl_30d", "confidence_based"]
ExpiryReason = Literal["ttl_7d", "ttl_30d", "low_confidence"]
LOW_CONFIDENCE: Final = 0.3
LOW_FOR: Final = timedelta(days=30)
TTL: Final[dict[RetentionPolicy, timedelta]] = {"ttl_7d": timedelta(days=7), "ttl_30d": timedelta(days=30)}


@dataclass(frozen=True, slots=True)
class Aging:
    """An active memory as far as its age counts. `expires_at` overrules what follows from `created_at`."""

    policy: RetentionPolicy
    origin: str
    confidence: float
    created_at: datetime
    expires_at: datetime | None = None
    low_confidence_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """It stays."""


@dataclass(frozen=True, slots=True)
class Expire:
    """It is deleted by its policy, which can be told from a deletion by a person (R309)."""

    reason: ExpiryReason


@dataclass(frozen=True, slots=True)
class AskAPerson:
    """A person once approved or wrote it: it gets a review item (C59)."""

    reason: ExpiryReason


Aged = Keep | Expire | AskAPerson


def age(memory: Aging, now: datetime) -> Aged:
    """What becomes of it at this moment. The end of a period counts as over."""
    match memory.policy:
        case "permanent_until_revoked":
            return Keep()
        case "ttl_7d" | "ttl_30d":
            return Expire(memory.policy) if now >= end_of(memory) else Keep()
        case "confidence_based":
            return _by_confidence(memory, now)
    assert_never(memory.policy)


def end_of(memory: Aging) -> datetime:
    """When a TTL is over. Never for the policies that know none."""
    if memory.policy not in TTL:
        raise ValueError(f"{memory.policy} has no end")
    return memory.expires_at or memory.created_at + TTL[memory.policy]


def _by_confidence(memory: Aging, now: datetime) -> Aged:
    if memory.confidence >= LOW_CONFIDENCE or memory.low_confidence_since is None:
        return Keep()
    if now < memory.low_confidence_since + LOW_FOR:
        return Keep()
    return Expire("low_confidence") if memory.origin == AUTOMATIC_ORIGIN else AskAPerson("low_confidence")
