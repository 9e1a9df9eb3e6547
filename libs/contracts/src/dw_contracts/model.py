"""What all contracts have in common."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import orjson
from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """Frozen; a reader ignores fields that it does not know, so that a writer may add some."""

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_timedelta="float")


class Message(Contract):
    """A record's value on a topic. `ce_type` rides as a header beside it (C78)."""

    ce_type: ClassVar[str]

    def to_bytes(self) -> bytes:
        """Canonical JSON: sorted keys, defaults left out. The same message gives the same bytes everywhere."""
        return canonical_bytes(self.model_dump(mode="json", exclude_defaults=True))

    @classmethod
    def from_bytes(cls, value: bytes) -> Self:
        """Read strictly parsed JSON; see `strict_json.loads` for what is refused."""
        return cls.model_validate_json(value)


def in_our_words(message: str) -> str:
    """A validator's message without the library's own beginning."""
    return message.removeprefix("Value error, ")


def canonical_bytes(value: dict[str, Any]) -> bytes:
    """The one byte form that is sealed (C45). Only str, int, bool, None, lists and maps occur: no floats."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
