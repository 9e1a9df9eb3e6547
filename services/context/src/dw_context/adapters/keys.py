"""Runtime keys, read through a short cache: a revoked key is refused after TTL_SECONDS at the latest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from secrets import token_bytes

from dw_contracts.http.problem import ProblemCode, problem
from dw_runtime import Handle, ProblemError
from dw_runtime.deadline import Deadline
from dw_store.database import Database
from dw_store.keys import PREFIX, FoundKey, find_key, hash_secret

TTL_SECONDS = 4.0  # and a query on top of it, which stays below the 5 s that are promised
MAX_CACHED = 10_000


@dataclass(slots=True)
class RuntimeKeys:
    """Who may ask. Misses are cached too, so that a wrong key is no load on the database."""

    database: Handle[Database]
    pepper: str
    deadline: Deadline
    clock: Callable[[], float]
    now: Callable[[], datetime]
    _marks: bytes = field(default_factory=lambda: token_bytes(32))
    _seen: dict[bytes, tuple[float, FoundKey | None]] = field(default_factory=dict)

    async def authenticate(self, authorization: str) -> FoundKey:
        """The key of this header, or 401. Says nothing about why."""
        secret = _secret(authorization)
        key = await self._find(secret) if secret else None
        if key is None:
            raise ProblemError(
                problem(ProblemCode.UNAUTHENTICATED, 401, "send Authorization: Bearer with a runtime key")
            )
        return key

    def known(self, authorization: str) -> FoundKey | None:
        """The key of this header, if it was asked for lately."""
        seen = self._seen.get(self._mark(_secret(authorization)))
        return seen[1] if seen is not None and seen[0] > self.clock() else None

    def _mark(self, secret: str) -> bytes:
        # Not by the secret itself, and not by its HMAC in the database, which costs ten times as much.
        return blake2b(secret.encode("utf-8", "replace"), digest_size=32, key=self._marks).digest()

    async def _find(self, secret: str) -> FoundKey | None:
        mark = self._mark(secret)
        asked_at = self.clock()
        seen = self._seen.get(mark)
        if seen is not None and seen[0] > asked_at:
            return seen[1]
        key = await self.deadline.run(self._ask(hash_secret(secret, self.pepper)))
        if len(self._seen) >= MAX_CACHED:
            self._seen.clear()
        self._seen[mark] = (asked_at + TTL_SECONDS, key)
        return key

    async def _ask(self, hashed: bytes) -> FoundKey | None:
        async with self.database().system() as tx:
            return await find_key(tx, hashed, ["runtime"], self.now())


def _secret(authorization: str) -> str:
    """What a header carries, if it has the form of a runtime key; else empty."""
    scheme, _, secret = authorization.partition(" ")
    secret = secret.strip()
    return secret if scheme.lower() == "bearer" and secret.startswith(PREFIX["runtime"]) else ""
