"""Our own templates of attacks and of their harmless neighbours. The same seed gives the same rows.

`LANGUAGE.attack.rows` and `LANGUAGE.benign.rows` hold a template a line: `(a|b)` is a choice, `[a|b]` may be left
out, `{name}` is a slot of `slots.txt` whose values may be templates themselves; ⟦ ⟧ ⏐ are written as [ ] |.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROWS = Path(__file__).parent / "scan_rows"
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_OPTION = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_STEPS = 60
_PLAIN = str.maketrans({"⟦": "[", "⟧": "]", "⏐": "|"})


class Grown(NamedTuple):
    """A message that a template gave; `group` names the template."""

    group: str
    is_attack: bool
    text: str


def slots() -> dict[str, tuple[str, ...]]:
    """Slot names, also with a language ending, to values."""
    lines = (ROWS / "slots.txt").read_text(encoding="utf-8").splitlines()
    split = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name: tuple(value.strip() for value in rest.split(" | ")) for name, _, rest in split}


def grown(each: int, seed: int = 7) -> Iterator[Grown]:
    """About `each` different messages a template."""
    values = slots()
    for path in sorted(ROWS.glob("*.rows")):
        language, kind, _ = path.name.split(".")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if line and not line.startswith("@ "):
                dice = random.Random(f"{seed} {path.name} {number}")
                texts = dict.fromkeys(expand(line, language, dice, values) for _ in range(each))
                yield from (Grown(f"{path.name}:{number}", kind == "attack", text) for text in texts)


def expand(line: str, language: str, dice: random.Random, values: Mapping[str, Sequence[str]]) -> str:
    """One message of a template."""

    def filled(found: re.Match[str]) -> str:
        listed = values.get(f"{found[1]}.{language}") or values.get(found[1])
        return dice.choice(listed) if listed else found[0]

    def kept(found: re.Match[str]) -> str:
        return dice.choice(found[1].split("|")) if dice.random() < 0.5 else ""

    text = line
    for _ in range(_STEPS):
        changed = _CHOICE.sub(lambda found: dice.choice(found[1].split("|")), text, count=1)
        if changed == text:
            changed = _OPTION.sub(kept, text, count=1)
        if changed == text:
            changed = _SLOT.sub(filled, text, count=1)
        if changed == text:
            break
        text = changed
    return text.replace("\\n", "\n").translate(_PLAIN).strip()
