"""Checks of a story: regular expressions over what can be read, case ignored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dw_cli.play.look_steps import Count, Linked
from dw_cli.play.texts import Texts, visible
from dw_cli.play.views import Entry, View


@lru_cache(maxsize=4_096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What does not hold. `missing` may still come (checks that are repeated); `wrong` cannot be mended by waiting."""

    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.wrong)

    def __add__(self, other: Shortfall) -> Shortfall:
        return Shortfall(self.missing + other.missing, self.wrong + other.wrong)

    def __str__(self) -> str:
        return "; ".join((*self.missing, *self.wrong))


OK = Shortfall()


@dataclass(frozen=True, slots=True)
class Checks:
    """Compares with the secrets of one file in mind."""

    texts: Texts

    def found(self, pattern: str, text: str) -> bool:
        """Whether the pattern is in the text, or in what is left of it without invisible characters."""
        compiled = _compiled(self.texts.pattern(pattern))
        return bool(compiled.search(text) or compiled.search(visible(text)))

    def contains(self, readable: Sequence[str], patterns: Sequence[str]) -> Shortfall:
        """At least one entry matches each."""
        lost = [p for p in patterns if not any(self.found(p, text) for text in readable)]
        return Shortfall(missing=tuple(f"does not contain {p!r}" for p in lost))

    def lacks(self, readable: Sequence[str], patterns: Sequence[str]) -> Shortfall:
        """None matches any."""
        there = [p for p in patterns if any(self.found(p, text) for text in readable)]
        return Shortfall(wrong=tuple(f"contains {p!r}" for p in there))

    def matching(self, entries: Sequence[Entry], pattern: str) -> list[Entry]:
        """Entries that are about it."""
        return [entry for entry in entries if self.found(pattern, entry.main)]

    def count(self, entries: Sequence[Entry], wanted: Count | None) -> Shortfall:
        """So many entries match."""
        if wanted is None:
            return OK
        return between(
            len(self.matching(entries, wanted.of)),
            wanted.exactly if wanted.exactly is not None else wanted.min,
            wanted.exactly if wanted.exactly is not None else wanted.max,
            f"entries match {wanted.of!r}" if wanted.of else "entries",
        )

    def order(self, text: str, patterns: Sequence[str]) -> Shortfall:
        """The texts stand in this order."""
        at = 0
        for pattern in patterns:
            found = _compiled(self.texts.pattern(pattern)).search(text, at)
            if found is None:
                return Shortfall(missing=(f"{pattern!r} does not stand after what it should follow",))
            at = found.end()
        return OK

    def linked(self, entries: Sequence[Entry], wanted: Linked | None) -> Shortfall:
        """So many sources are linked to the matching item."""
        if wanted is None:
            return OK
        found = self.matching(entries, wanted.of)
        if not found:
            return Shortfall(missing=(f"no item matches {wanted.of!r}",))
        raw = found[0].raw
        counts = [len(raw.get("evidence") or ()), int(raw.get("evidence_count") or 0)]
        least = wanted.exactly if wanted.exactly is not None else wanted.min
        most = wanted.exactly if wanted.exactly is not None else wanted.max
        return between(max(counts), least, most, f"sources of {wanted.of!r}")

    def view(
        self, view: View, contains: Sequence[str], lacks: Sequence[str], count: Count | None
    ) -> Shortfall:
        """The checks that most steps have."""
        found = self.contains(view.readable, contains) + self.lacks(view.readable, lacks)
        return found + self.count(view.entries, count)


def between(number: int, least: int | None, most: int | None, what: str) -> Shortfall:
    """Too few may still become enough; too many stay too many."""
    if least is not None and number < least:
        return Shortfall(missing=(f"{number} {what}, at least {least} wanted",))
    if most is not None and number > most:
        return Shortfall(wrong=(f"{number} {what}, at most {most} wanted",))
    return OK
