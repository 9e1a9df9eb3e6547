"""The JSON of packs from one snapshot, put together from parts that are rendered once.

Packs of one role-agent differ in the few memories that a message calls for, and in a skill. Their first places, what is
left out behind them and the words around them are the same each time, so that they are kept as bytes and copied. What
comes out is byte for byte what orjson makes of `snapshot.pack`, which stays the rule: tests compare the two.

Only packs in which every memory that comes first by order also fits are made this way. Where the characters decide,
`Standing.draw` says None, and the pack is made the plain way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

import orjson

from dw_contracts.http.context import MAX_ROLE_AGENT_MEMORIES, PackSkill, PackSoul
from dw_learning.pack import (
    MAX_DROPPED_LISTED,
    MAX_MATCHES,
    ActiveMemory,
    Budget,
    LeftOut,
    Ordered,
    entry_of,
)
from dw_learning.pack_blocks import CLOSE, MEMORY_POLICY, NOTHING, OPEN, render_lines
from dw_learning.pack_prompt import CURRENT

COMMA: Final = b","
LINE_BREAK: Final = b"\\n"
"""As it stands within a JSON string."""


class Joined:
    """Parts with a separator between them, of which any run is one copy of bytes."""

    __slots__ = ("_all", "_gap", "_starts")

    def __init__(self, parts: Sequence[bytes], separator: bytes) -> None:
        self._gap = len(separator)
        self._all = separator.join(parts)
        self._starts = [0, *accumulate(len(part) + self._gap for part in parts)]

    def cut(self, begin: int, end: int) -> bytes:
        """Parts from `begin` to before `end`, which is not less; none are empty bytes."""
        return self._all[self._starts[begin] : self._starts[end] - self._gap] if begin < end else b""


class Draw(NamedTuple):
    """Which of the role-agent's memories: the `top` first ones that the sender may see, and the places of `extra`
    behind them, in order."""

    top: int
    extra: tuple[int, ...]
    chars: int


class PlacedMemory(NamedTuple):
    """Memories as JSON, one or several: the entry, and the quoted line as it stands within a string."""

    entry: bytes
    line: bytes


class Standing:
    """What one sender may see of a role-agent's memories, in the order of packs. `placed` renders the memory of a place.
    Only what a pack can reach is looked at."""

    def __init__(self, ordered: Ordered, sender: str | None, placed: Callable[[int], PlacedMemory]) -> None:
        self._memories, self._memory_sizes, self._placed = ordered.memories, ordered.sizes, placed
        budget = Budget(ordered, sender)
        for place in range(ordered.own_from):
            budget.claim(place)
        self._of_org, self._room = sorted(budget.chosen), budget.chars
        self._total = len(ordered.memories)
        left = [budget.dropped[place] for place in sorted(budget.dropped)]
        self._shift = ordered.own_from - len(left)
        self._free: list[int] = []
        hidden = list(range(len(left)))
        self._cut, before = [len(left)], [tuple(hidden)]
        for place in range(ordered.own_from, self._total):
            if len(self._free) < MAX_ROLE_AGENT_MEMORIES and len(hidden) < MAX_DROPPED_LISTED:
                why = ordered.hidden(place, sender)
                if why is None:
                    self._free.append(place)
                    self._cut.append(len(left) + 1)
                    before.append(tuple(hidden))
                else:
                    hidden.append(len(left))
            elif len(left) < self._cut[-1] + MAX_DROPPED_LISTED + MAX_MATCHES:
                why = ordered.hidden(place, sender)
            else:
                break
            left.append(why or {"id": self._memories[place].id, "reason": "count"})
        self._ends_early = len(self._free) < MAX_ROLE_AGENT_MEMORIES and len(hidden) >= MAX_DROPPED_LISTED
        self._before, self._left = before, left
        self._render()

    def _render(self) -> None:
        rendered = [orjson.dumps(left) for left in self._left]
        self._left_json = Joined(rendered, COMMA)
        self._before_json = [COMMA.join(rendered[at] for at in hidden) for hidden in self._before]
        first = [self._placed(place) for place in (*self._of_org, *self._free)]
        self._entries = Joined([memory.entry for memory in first], COMMA)
        self._lines = Joined([memory.line for memory in first], LINE_BREAK)
        ids = [self._memories[place].id.encode() for place in (*self._of_org, *self._free)]
        self._first_ids = Joined(ids, COMMA)
        sizes = self._memory_sizes
        self._sizes = [0, *accumulate([sizes[place] for place in self._free])]
        self._org_chars = sum([sizes[place] for place in self._of_org])
        self._others = [at for at, left in enumerate(self._left) if left["reason"] != "count"]

    def draw(self, matched: Sequence[int]) -> Draw | None:
        """The memories of a pack by their order alone; None where the characters have a say, or where so many are
        hidden that the list of what is left out ends among them. `matched` are places that the sender may see."""
        free, sizes = self._free, self._memory_sizes
        extra = tuple(sorted(matched))
        top = min(len(free), MAX_ROLE_AGENT_MEMORIES - len(extra))
        if top and extra and extra[0] <= free[-1]:
            top = self._top(extra)
            extra = tuple([place for place in extra if place > free[top - 1]])
        chars = self._sizes[top]
        for place in extra:
            chars += sizes[place]
        if chars > self._room or len(self._before[top]) >= MAX_DROPPED_LISTED:
            return None
        if self._ends_early and top == len(self._free):
            return None
        return Draw(top, extra, chars + self._org_chars)

    def _top(self, matched: tuple[int, ...]) -> int:
        """How many of the first ones there are when some of them are matches and take none of the others' places."""
        top, room = 0, MAX_ROLE_AGENT_MEMORIES - len(matched)
        for place in self._free:
            if place not in matched:
                if not room:
                    break
                room -= 1
            top += 1
        return top

    def memories(self, draw: Draw) -> PlacedMemory:
        """The memories of the pack: entries between commas, lines as they stand within a string."""
        first = len(self._of_org) + draw.top
        entries, lines = self._entries.cut(0, first), self._lines.cut(0, first)
        if not draw.extra:
            return PlacedMemory(entries, lines)
        placed = [self._placed(place) for place in draw.extra]
        return PlacedMemory(
            _joined(COMMA, entries, [memory.entry for memory in placed]),
            _joined(LINE_BREAK, lines, [memory.line for memory in placed]),
        )

    def ids(self, draw: Draw) -> bytes:
        """Their ids, between commas."""
        first = self._first_ids.cut(0, len(self._of_org) + draw.top)
        return _joined(COMMA, first, [self._memories[place].id.encode() for place in draw.extra])

    def left_out(self, draw: Draw) -> int:
        """How many are not in the pack."""
        return self._total - len(self._of_org) - draw.top - len(draw.extra)

    def listed_json(self, draw: Draw) -> bytes:
        """The nearest of those, between commas."""
        runs = [self._left_json.cut(begin, end) for begin, end in self._spans(draw)]
        return _joined(COMMA, self._before_json[draw.top], runs)

    def nearest_json(self, draw: Draw, most: int) -> bytes:
        """The first of those, at most `most`."""
        hidden = self._before[draw.top]
        runs = [orjson.dumps(self._left[at]) for at in hidden[:most]]
        room = most - len(runs)
        for begin, end in self._spans(draw):
            if room <= 0:
                break
            runs.append(self._left_json.cut(begin, min(end, begin + room)))
            room -= end - begin
        return COMMA.join(runs)

    def reasons(self, draw: Draw) -> dict[str, int]:
        """How many of all that are listed are left out for which reason."""
        hidden = self._before[draw.top]
        if not hidden and not self._others:  # most packs
            listed = min(MAX_DROPPED_LISTED, self.left_out(draw))
            return {"count": listed} if listed else {}
        counted: Counter[str] = Counter([self._left[at]["reason"] for at in hidden])
        for begin, end in self._spans(draw):
            if self._others and begin <= self._others[-1]:
                counted.update([left["reason"] for left in self._left[begin:end]])
            else:
                counted["count"] += end - begin
        return counted

    def _spans(self, draw: Draw) -> list[tuple[int, int]]:
        """Runs of `_left` behind the last of the top ones; what is drawn from among them is left out of them."""
        begin = self._cut[draw.top]
        end = begin + MAX_DROPPED_LISTED - len(self._before[draw.top])
        spans: list[tuple[int, int]] = []
        for place in draw.extra:
            at = place - self._shift
            if at >= end:
                break
            if at > begin:
                spans.append((begin, at))
            begin, end = at + 1, end + 1
        end = min(end, len(self._left))
        if begin < end:
            spans.append((begin, end))
        return spans


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the memories in every pack of a snapshot."""

    role_agent_id: str
    version: int
    soul: PackSoul | None
    more_active: bool


class PackJson:
    """See the module."""

    def __init__(self, around: Around) -> None:
        self._more_active = around.more_active
        opening = {"role_agent_id": around.role_agent_id, "version": around.version, "soul": around.soul}
        self._opening = orjson.dumps(opening, default=vars)[:-1] + b',"memories":['
        prompt = b',"history":[],"prompt_version":' + orjson.dumps(CURRENT.version) + b',"blocks":{"memory":"'
        self._prompt = prompt + _within("\n".join([MEMORY_POLICY, OPEN])) + LINE_BREAK
        self._nothing = _within(NOTHING)
        self._close = LINE_BREAK + _within(CLOSE) + b'"'
        soul = render_lines(around.soul, [], []).get("soul")
        if soul is not None:
            self._close += b',"soul":' + orjson.dumps(soul)
        self._skills: dict[int, tuple[bytes, bytes]] = {}

    def head(
        self,
        standing: Standing,
        draw: Draw,
        skill: tuple[int, PackSkill] | None,
        uncertain: Sequence[str],
    ) -> bytes:
        """The JSON up to the time. `skill` is the place of one and what the pack says of it, `uncertain` are ids."""
        skill_json, skill_block = self._skill(*skill) if skill is not None else (b"", b"")
        entries, lines = standing.memories(draw)
        dropped, count = standing.listed_json(draw), standing.left_out(draw)
        if uncertain and count < MAX_DROPPED_LISTED:
            also = also_left_out(uncertain)[: MAX_DROPPED_LISTED - count]
            dropped = _joined(COMMA, dropped, [orjson.dumps(left) for left in also])
        more = self._more_active or count + len(uncertain) > MAX_DROPPED_LISTED
        return b"".join(
            (
                self._opening,
                entries,
                b'],"skills":[',
                skill_json,
                b'],"memory_chars":%d,"dropped":[' % draw.chars,
                dropped,
                b'],"more_dropped":true' if more else b'],"more_dropped":false',
                self._prompt,
                lines or self._nothing,
                self._close,
                skill_block,
                b"}",
            )
        )

    def record(self, standing: Standing, draw: Draw, uncertain: Sequence[str], most: int) -> bytes:
        """WhyLeftOut of that pack as JSON; `most` are told by id."""
        count = standing.left_out(draw)
        nearest, reasons = standing.nearest_json(draw, most), standing.reasons(draw)
        if uncertain and count < MAX_DROPPED_LISTED:
            also = also_left_out(uncertain)[: MAX_DROPPED_LISTED - count]
            told = also[: max(0, most - count)]
            nearest = _joined(COMMA, nearest, [orjson.dumps(left) for left in told])
            reasons["uncertain"] = len(also)
        more = self._more_active or count + len(uncertain) > MAX_DROPPED_LISTED
        return b'{"nearest":[%b],"reasons":%b,"more":%b}' % (
            nearest,
            orjson.dumps(reasons),
            b"true" if more else b"false",
        )

    def _skill(self, place: int, skill: PackSkill) -> tuple[bytes, bytes]:
        found = self._skills.get(place)
        if found is None:
            block = render_lines(None, [], [skill])["skills"]
            found = orjson.dumps(skill, default=vars), b',"skills":' + orjson.dumps(block)
            self._skills[place] = found
        return found


def placed_memory(memory: ActiveMemory, line: str) -> PlacedMemory:
    """A memory and its quoted line, as parts."""
    return PlacedMemory(orjson.dumps(entry_of(memory)), _within(line))


def also_left_out(uncertain: Sequence[str]) -> list[LeftOut]:
    """Skills that came near, by their ids."""
    return [{"id": skill, "reason": "uncertain"} for skill in uncertain]


def _within(text: str) -> bytes:
    """A text as it stands within a JSON string."""
    return orjson.dumps(text)[1:-1]


def _joined(separator: bytes, first: bytes, rest: list[bytes]) -> bytes:
    if not rest:
        return first
    return separator.join([first, *rest] if first else rest)
