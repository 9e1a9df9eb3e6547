"""The seal of an event (C45): who holds the key can tell what ingest wrote from what somebody wrote to a topic."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dw_contracts.events.chat import ChatEvent, Seal
from dw_contracts.model import canonical_bytes


@dataclass(frozen=True, slots=True)
class SealKeys:
    """`first` seals; all verify. Keys that were retired stay for 45 days, the longest that an event may wait."""

    first: str
    keys: Mapping[str, bytes]

    @classmethod
    def parse(cls, text: str) -> SealKeys:
        """Read `id:hex,id:hex`. At least one key of at least 32 bytes: an empty ring would verify nothing."""
        keys: dict[str, bytes] = {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            key_id, _, secret = part.partition(":")
            try:
                keys[key_id] = bytes.fromhex(secret)
            except ValueError:
                raise ValueError(f"seal key {key_id!r}: not hex") from None
            if len(keys[key_id]) < 32:
                raise ValueError(f"seal key {key_id!r}: at least 32 bytes are needed")
        if not keys:
            raise ValueError("no seal key: DW_SEAL_KEYS is empty")
        return cls(first=next(iter(keys)), keys=keys)


def seal(event: ChatEvent, keys: SealKeys) -> bytes:
    """The event's bytes as they go to Kafka, with its seal over the canonical bytes of all other fields."""
    body = event.model_dump(mode="json", exclude_defaults=True, exclude={"seal"})
    mac = _mac(body, keys.keys[keys.first])
    return canonical_bytes({**body, "seal": Seal(key_id=keys.first, mac=mac).model_dump()})


def is_sealed(event: Mapping[str, Any], keys: SealKeys) -> bool:
    """Recompute the seal from the embedded event as it was parsed, fields that we do not know included."""
    carried = event.get("seal")
    if not isinstance(carried, dict) or not isinstance(carried.get("mac"), str):
        return False
    key = keys.keys.get(str(carried.get("key_id")))
    if key is None:
        return False
    body = {name: value for name, value in event.items() if name != "seal"}
    return hmac.compare_digest(_mac(body, key).encode(), carried["mac"].encode("utf-8", "replace"))


def _mac(body: Mapping[str, Any], key: bytes) -> str:
    return hmac.digest(key, canonical_bytes(dict(body)), "sha256").hex()
