"""Many named expressions over one text at little cost: only those run whose needed words stand in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from dw_learning.words.needs import alternatives, needs

GRAM = 3
KEPT = 1 << 13
"""So many words are remembered; then all are forgotten."""
_DIGITS = re.compile("[0-9]+")
_NUMBER = "\0"
"""Stands for all digits in a row, and in no needed string. Where any digit will do, it is what has to stand there."""
_EACH_DIGIT = frozenset("0123456789")
LONGEST = 24
"""A longer run, as scripts without spaces write, hardly comes again."""


@dataclass(slots=True)
class _Unit:
    """One alternative of a name. `pattern` is None where one of the needed strings is a match by itself."""

    name: str
    expression: str
    plain: bool
    flags: re.RegexFlag
    _pattern: re.Pattern[str] | None = None

    def matches(self, low: str) -> bool:
        """Is there a match anywhere? Compiled at the first question."""
        if self.plain:
            return True
        if self._pattern is None:
            self._pattern = re.compile(self.expression, self.flags)
        return self._pattern.search(low) is not None


class _Need(NamedTuple):
    """One of `string` must stand in the text for the unit to match; `key` is its longest part without spaces."""

    string: str
    key: str
    unit: _Unit


@dataclass(slots=True)
class Watch:
    """Says the same as running every expression. A needed string is looked up by its longest part without spaces.

    `grams`: three signs to the parts that hold them; `short`: parts with fewer signs; `numbered`: parts with a digit.
    `seen`: a word of a text to the needed strings whose parts it holds, so that a word is looked at once. Numbers, which
    hardly come again, are all alike there.
    """

    grams: dict[str, list[_Need]] = field(default_factory=dict)
    short: dict[str, list[_Need]] = field(default_factory=dict)
    numbered: list[_Need] = field(default_factory=list)
    always: list[_Unit] = field(default_factory=list)
    seen: dict[str, tuple[_Need, ...]] = field(default_factory=dict)

    def add(self, name: str, expression: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Watch for one more expression of this name; expressions see lower-case text."""
        self.seen.clear()
        for part in alternatives(expression):
            known = needs(part)
            wanted = known.best
            unit = _Unit(name, part, known.plain and known.exact is not None and wanted == known.exact, flags)
            if wanted is None or not all(string.split() for string in wanted):
                self.always.append(unit)
                continue
            if wanted >= _EACH_DIGIT:
                self.short.setdefault(_NUMBER, []).append(_Need("", _NUMBER, unit))
                wanted -= _EACH_DIGIT
            for string in sorted(wanted):
                key = max(string.split(), key=len)
                need = _Need(string, key, unit)
                if _DIGITS.search(key):
                    self.numbered.append(need)
                elif len(key) < GRAM:
                    self.short.setdefault(key, []).append(need)
                else:
                    self.grams.setdefault(_gram_of(key), []).append(need)

    def found(self, low: str) -> set[str]:
        """The names with a match."""
        names: set[str] = set()
        asked: set[int] = set()
        for unit in self._candidates(low):
            if unit.name in names or id(unit) in asked:
                continue
            asked.add(id(unit))
            if unit.matches(low):
                names.add(unit.name)
        return names

    def _candidates(self, low: str) -> list[_Unit]:
        """Units whose needs are met, one of them possibly several times."""
        units = list(self.always)
        known = self.seen.get
        for word in {*low.split()}:
            met = known(word)
            if met is None:
                met = self._look_at(word)
            if met:
                units += [need.unit for need in met if need.string in low]
        return units

    def _look_at(self, word: str) -> tuple[_Need, ...]:
        """The needed strings whose parts a word holds."""
        alike = _DIGITS.sub(_NUMBER, word)
        if alike == word:  # no digit stands in it
            return self._look(word)
        met = self.seen.get(alike)
        if met is None:
            met = self._look(alike)
        numbers = [need for need in self.numbered if need.key in word]
        return (*met, *numbers) if numbers else met

    def _look(self, word: str) -> tuple[_Need, ...]:
        """The same of a word without numbers of its own; remembered, unless it is a run that hardly comes again."""
        held = {word[at : at + GRAM] for at in range(len(word) - GRAM + 1)}
        met = [need for gram in self.grams.keys() & held for need in self.grams[gram] if need.key in word]
        for size in range(1, GRAM):
            parts = {word[at : at + size] for at in range(len(word) - size + 1)}
            met += [need for part in self.short.keys() & parts for need in self.short[part]]
        if len(word) <= LONGEST:
            if len(self.seen) >= KEPT:
                self.seen.clear()
            self.seen[word] = tuple(met)
        return tuple(met)


def _gram_of(string: str) -> str:
    """The part to look it up by: letters rather than spaces, from its middle, where words differ."""
    grams = [string[at : at + GRAM] for at in range(len(string) - GRAM + 1)]
    return max(
        grams, key=lambda gram: (sum(sign.isalpha() for sign in gram), grams.index(gram) == len(grams) // 2)
    )
