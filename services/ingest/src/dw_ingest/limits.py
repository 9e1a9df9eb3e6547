"""429 per key and per org (C77: fairness begins at ingest). Token buckets in memory, one a replica."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

MAX_BUCKETS = 10_000
BURST_SECONDS = 2.0


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class RateLimits:
    """`take` gives 0 and takes the tokens, or the seconds to wait and takes none. A batch larger than a full bucket
    passes when the bucket is full, and leaves it in debt."""

    def __init__(self, per_key: int, per_org: int, clock: Callable[[], float]) -> None:
        self._rates = (float(per_key), float(per_org))
        self._clock = clock
        self._buckets: dict[UUID, _Bucket] = {}

    def take(self, key_id: UUID, org_id: UUID, count: int) -> float:
        """Take `count` events from the key's and the org's bucket, both or none."""
        now = self._clock()
        pairs = [
            (self._bucket(owner, rate, now), rate)
            for owner, rate in zip((key_id, org_id), self._rates, strict=True)
        ]
        waits = [_wait(bucket, rate, count) for bucket, rate in pairs]
        if (longest := max(waits)) > 0:
            return longest
        for bucket, _ in pairs:
            bucket.level -= count
        return 0.0

    def _bucket(self, owner: UUID, rate: float, now: float) -> _Bucket:
        full = rate * BURST_SECONDS
        bucket = self._buckets.get(owner)
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                self._buckets.clear()
            bucket = self._buckets[owner] = _Bucket(full, now)
        bucket.level = min(full, bucket.level + (now - bucket.at) * rate)
        bucket.at = now
        return bucket


def _wait(bucket: _Bucket, rate: float, count: int) -> float:
    needed = min(float(count), rate * BURST_SECONDS)
    return max(0.0, (needed - bucket.level) / rate)
