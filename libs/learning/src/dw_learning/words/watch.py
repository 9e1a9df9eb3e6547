"""Many named expressions over one text at little cost: only those run whose needed words stand in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dw_learning.words.needs import alternatives, needs

GRAM = 3


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


@dataclass(slots=True)
class Watch:
    """Says the same as running every expression. `grams`: three signs to the needed strings that hold them; `short`: needed
    strings with fewer signs, and those of other scripts, which plain ASCII text cannot hold."""

    grams: dict[str, list[tuple[str, _Unit]]] = field(default_factory=dict)
    short: dict[str, list[_Unit]] = field(default_factory=dict)
    short_foreign: dict[str, list[_Unit]] = field(default_factory=dict)
    always: list[_Unit] = field(default_factory=list)

    def add(self, name: str, expression: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Watch for one more expression of this name; expressions see lower-case text."""
        for part in alternatives(expression):
            known = needs(part)
            wanted = known.best
            unit = _Unit(name, part, known.plain and known.exact is not None and wanted == known.exact, flags)
            if wanted is None:
                self.always.append(unit)
            for string in sorted(wanted or ()):
                if len(string) < GRAM:
                    (self.short if string.isascii() else self.short_foreign).setdefault(string, []).append(
                        unit
                    )
                else:
                    self.grams.setdefault(_gram_of(string), []).append((string, unit))

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
        grams = self.grams
        units = list(self.always)
        for gram in grams.keys() & {low[at : at + GRAM] for at in range(len(low) - GRAM + 1)}:
            units += [unit for string, unit in grams[gram] if string in low]
        for string, met in self.short.items():
            if string in low:
                units += met
        if not low.isascii():
            for string, met in self.short_foreign.items():
                if string in low:
                    units += met
        return units


def _gram_of(string: str) -> str:
    """The part to look it up by: letters rather than spaces, from its middle, where words differ."""
    grams = [string[at : at + GRAM] for at in range(len(string) - GRAM + 1)]
    return max(
        grams, key=lambda gram: (sum(sign.isalpha() for sign in gram), grams.index(gram) == len(grams) // 2)
    )
