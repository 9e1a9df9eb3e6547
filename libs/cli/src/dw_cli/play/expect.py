"""What an attempt came to, and what a story expects of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

REFUSALS: Final = ("forbidden", "not_found", "conflict", "invalid", "unauthenticated")
ANSWERS: Final = ("done", "any", "one")
STORED: Final = ("stored", "proposed", "rejected")  # of the agent's own memory API


@dataclass(frozen=True, slots=True)
class Outcome:
    """`done`, `stored`, … or a refusal; `also` holds a second name where the product tells two cases by one answer."""

    name: str
    words: str = ""
    also: str = ""

    @property
    def refused(self) -> bool:
        """Whether the product said no."""
        return self.name.startswith("refused:")

    def __str__(self) -> str:
        return f"{self.name} ({self.words})" if self.words else self.name


DONE: Final = Outcome("done")


def refusal(kind: str, words: str = "") -> Outcome:
    """A no of the product, or nothing there that this person could have meant."""
    return Outcome(f"refused:{kind}", words)


class BadExpect(ValueError):
    """A word that is no expectation."""


@dataclass(frozen=True, slots=True)
class Expect:
    """One expectation; `|` gives a choice."""

    choices: tuple[str, ...] = ("done",)

    @classmethod
    def parse(cls, text: str, allowed: Sequence[str] = ANSWERS) -> Expect:
        """Read `done`, `any`, `one`, `refused`, `refused:conflict`, `done|refused:forbidden|not_found`."""
        choices: list[str] = []
        for part in (piece.strip() for piece in text.split("|")):
            kind = part.removeprefix("refused:").strip()
            if part in ("refused", *allowed):
                choices.append(part)
            elif kind in REFUSALS:  # after the first one `refused:` may be left out
                choices.append(f"refused:{kind}")
            else:
                known = ", ".join((*allowed, "refused", *(f"refused:{kind}" for kind in REFUSALS)))
                raise BadExpect(f"{part!r} is no expectation; known are {known}")
        return cls(tuple(choices))

    def meets(self, outcome: Outcome) -> bool:
        """Whether this outcome is what was expected."""
        for choice in self.choices:
            if choice == "any" or choice in (outcome.name, outcome.also):
                return True
            if choice == "refused" and outcome.refused:
                return True
        return False

    def unmet(self, outcomes: Sequence[Outcome]) -> str | None:
        """What is wrong with the outcomes of several people at once, or None. `one`: one done, the rest conflict."""
        if "one" in self.choices:
            done = sum(1 for outcome in outcomes if outcome.name == "done")
            rest = [o for o in outcomes if o.name not in ("done", "refused:conflict")]
            if done == 1 and not rest:
                return None
            return f"expected one done and the rest refused:conflict, got {_listed(outcomes)}"
        if all(self.meets(outcome) for outcome in outcomes):
            return None
        return f"expected {'|'.join(self.choices)}, got {_listed(outcomes)}"


def _listed(outcomes: Sequence[Outcome]) -> str:
    return ", ".join(map(str, outcomes))
