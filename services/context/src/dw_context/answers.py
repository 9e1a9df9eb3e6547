"""Packs as bytes, and what is recorded of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

import orjson

from dw_learning.conflicts import Conflict
from dw_learning.pack import Pack
from dw_learning.pack_json import Draw
from dw_learning.snapshot import AgentSnapshot, Shape
from dw_store.context_reads import MAX_RECORDED, GivenPack, plain, skill_refs

MEMORY_BUILDER: Final = "memory-1"
_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


class Drawn(NamedTuple):
    """A pack that was given, as what decided it: its record is made with its batch."""

    snapshot: AgentSnapshot
    shape: Shape
    draw: Draw

    def given(self) -> GivenPack:
        """The record, as GivenPack.of the whole pack would be."""
        snapshot, shape, draw = self
        return GivenPack(
            role_agent_id=snapshot.facts.role_agent_id,
            version=snapshot.version,
            soul_version=snapshot.soul.version if snapshot.soul is not None else None,
            memory_ids=snapshot.given_ids(shape, draw).decode(),
            memory_chars=draw.chars,
            skill_refs=skill_refs(snapshot.skills_of(shape)),
            dropped=snapshot.why_left_out(shape, draw, MAX_RECORDED).decode(),
            builder=MEMORY_BUILDER,
            conflicts=snapshot.conflicts,
        )


Given = GivenPack | Drawn


class Answer(NamedTuple):
    """The JSON of a pack up to its time, and what is recorded of it."""

    head: bytes
    given: Given

    def at(self, built_at: datetime) -> bytes:
        """The whole JSON. `built_at` is in UTC."""
        return b'%b,"built_at":"%bZ"}' % (self.head, built_at.isoformat()[:-6].encode())


def answer_of(snapshot: AgentSnapshot, shape: Shape) -> Answer:
    """The answer of a shape: from parts that were rendered before wherever order alone decides."""
    draw = snapshot.draw(shape)
    if draw is None:
        return render(snapshot.pack(shape, _ANY_TIME), MEMORY_BUILDER, snapshot.conflicts)
    return Answer(snapshot.head(shape, draw), Drawn(snapshot, shape, draw))


def render(pack: Pack, builder: str, conflicts: tuple[Conflict, ...] | None = None) -> Answer:
    """The pack as pydantic would write it, at a fifth of the cost: its parts are plain and already valid."""
    content = {name: value for name, value in pack.items() if name != "built_at"}
    rendered = orjson.dumps(content, default=plain)
    return Answer(rendered[:-1], GivenPack.of(pack, builder, conflicts))


def recorded(given: Given) -> GivenPack:
    """The record of what was given."""
    return given.given() if isinstance(given, Drawn) else given
