"""Packs as bytes: those of the same content are rendered once, and only their time is new."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

import orjson

from dw_learning.conflicts import Conflict
from dw_learning.pack import Pack
from dw_learning.snapshot import AgentSnapshot, Shape
from dw_store.context_reads import GivenPack, plain

MAX_KEPT: Final = 2_000
"""Answers of some 15 kB each."""
MEMORY_BUILDER: Final = "memory-1"
_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


class Answer(NamedTuple):
    """The JSON of a pack up to its time, and what is recorded of it."""

    head: bytes
    given: GivenPack

    def at(self, built_at: datetime) -> bytes:
        """The whole JSON. `built_at` is in UTC."""
        return b'%b,"built_at":"%bZ"}' % (self.head, built_at.isoformat()[:-6].encode())


def render(pack: Pack, builder: str, conflicts: tuple[Conflict, ...] | None = None) -> Answer:
    """The pack as pydantic would write it, at a fifth of the cost: its parts are plain and already valid."""
    content = {name: value for name, value in pack.items() if name != "built_at"}
    rendered = orjson.dumps(content, default=plain)
    return Answer(rendered[:-1], GivenPack.of(pack, builder, conflicts))


@dataclass(slots=True)
class Answers:
    """Rendered packs, by snapshot and shape; what was asked for longest ago goes first."""

    _kept: OrderedDict[tuple[AgentSnapshot, Shape], Answer] = field(default_factory=OrderedDict)

    def of(self, snapshot: AgentSnapshot, shape: Shape) -> Answer:
        """The answer of a shape, rendered now if it is not here."""
        key = (snapshot, shape)
        found = self._kept.get(key)
        if found is None:
            found = render(snapshot.pack(shape, _ANY_TIME), MEMORY_BUILDER, snapshot.conflicts)
            self._kept[key] = found
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found
