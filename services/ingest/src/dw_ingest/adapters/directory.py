"""Keys and bindings, read through a short cache: the only way in which ingest touches the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol
from uuid import UUID

from dw_runtime import Handle
from dw_runtime.deadline import Deadline
from dw_store.database import Database
from dw_store.directory import (
    Binding,
    GatewayKey,
    bindings_of_key,
    find_gateway_key,
    outcomes_of_event,
    wait_of_event,
)
from dw_store.keys import hash_secret

__all__ = ["Binding", "Directory", "GatewayKey", "StoreDirectory"]
MAX_CACHED = 10_000


class Directory(Protocol):
    """What ingest asks."""

    async def gateway_key(self, secret: str) -> GatewayKey | None:
        """The live gateway key with this secret."""

    async def bindings(self, key: GatewayKey) -> dict[str, Binding]:
        """The key's channels, by id and by the platform's reference."""

    async def outcomes(self, key: GatewayKey, event_id: UUID) -> list[str]:
        """Outcomes of an event of the key's channels; none yet, or not its own: empty."""

    async def waiting(self, key: GatewayKey, event_id: UUID) -> dict[str, Any] | None:
        """What an event of the key's channels waits for; nothing, or not its own: None."""


class StoreDirectory:
    """PostgreSQL behind a cache of `ttl_seconds`: so long a revoked key may still be believed (stated limit)."""

    def __init__(
        self,
        database: Handle[Database],
        pepper: str,
        ttl_seconds: float,
        clock: Callable[[], float],
        deadline: Deadline,
    ) -> None:
        self._database = database
        self._pepper = pepper
        self._ttl = ttl_seconds
        self._clock = clock
        self._deadline = deadline
        self._keys: dict[bytes, tuple[float, GatewayKey | None]] = {}
        self._bindings: dict[UUID, tuple[float, dict[str, Binding]]] = {}

    async def gateway_key(self, secret: str) -> GatewayKey | None:
        hashed = hash_secret(secret, self._pepper)
        cached = self._keys.get(hashed)
        if cached is not None and cached[0] > self._clock():
            return cached[1]
        key = await self._deadline.run(find_gateway_key(self._database(), hashed))
        _bound(self._keys)
        self._keys[hashed] = (self._clock() + self._ttl, key)
        return key

    async def bindings(self, key: GatewayKey) -> dict[str, Binding]:
        cached = self._bindings.get(key.key_id)
        if cached is not None and cached[0] > self._clock():
            return cached[1]
        found = await self._deadline.run(bindings_of_key(self._database(), key))
        _bound(self._bindings)
        self._bindings[key.key_id] = (self._clock() + self._ttl, found)
        return found

    async def outcomes(self, key: GatewayKey, event_id: UUID) -> list[str]:
        return await self._deadline.run(outcomes_of_event(self._database(), key, event_id))

    async def waiting(self, key: GatewayKey, event_id: UUID) -> dict[str, Any] | None:
        return await self._deadline.run(wait_of_event(self._database(), key, event_id))


def _bound(cache: dict[Any, Any]) -> None:
    if len(cache) >= MAX_CACHED:
        cache.clear()
