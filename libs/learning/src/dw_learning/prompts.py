"""Prompts as data, and their one renderer (R66, ADR 11). Pure: a text comes from a table, data from people.

A prompt has a system part, which is words of an operator and nothing else, and a turn, which says where the data
stand: `{{message}}` and the like, once each. Data are rendered as delimited blocks whose delimiter cannot be closed
from inside, and are never searched for variables again, so that nobody's words become instructions (D10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dw_learning.scan import is_credential, scan_secrets

MAX_SYSTEM: Final = 16_000
MAX_TURN: Final = 2_000
VARIABLE: Final = re.compile(r"\{\{\s*(\w*)\s*\}\}")
HIDDEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
LEARNING_DETECT: Final = "learning_detect"
SKILL_DRAFT: Final = "skill_draft"


@dataclass(frozen=True, slots=True)
class Variables:
    """What a turn has to show, and what it may show besides."""

    needed: frozenset[str]
    optional: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every one that is known."""
        return self.needed | self.optional


KEYS: Final[Mapping[str, Variables]] = {
    LEARNING_DETECT: Variables(frozenset({"message"}), frozenset({"answered"})),
    SKILL_DRAFT: Variables(frozenset({"said"}), frozenset({"topic"})),
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One approved version."""

    key: str
    version: int
    system: str
    turn: str

    @property
    def name(self) -> str:
        """As ledger, detections and decisions name it (G27)."""
        return f"{self.key}-{self.version}"


@dataclass(frozen=True, slots=True)
class Data:
    """Somebody's words under a tag of ours."""

    tag: str
    text: str
    by: str = ""


def faults_of(key: str, system: str, turn: str) -> tuple[str, ...]:
    """What keeps this text from being a version of the prompt; empty if nothing does."""
    if key not in KEYS:
        return (f"there is no prompt {key}: there are {', '.join(sorted(KEYS))}",)
    faults = []
    if not system.strip() or len(system) > MAX_SYSTEM:
        faults.append(f"the system part has 1 to {MAX_SYSTEM} characters")
    if len(turn) > MAX_TURN:
        faults.append(f"the turn has at most {MAX_TURN} characters")
    if VARIABLE.search(system):
        faults.append("the system part holds no variables: data stand in the turn")
    faults += _of_variables(KEYS[key], VARIABLE.findall(turn))
    if any(HIDDEN.search(text) for text in (system, turn)):
        faults.append("it holds invisible signs")
    if any(is_credential(text) or scan_secrets(text) for text in (system, turn)):
        faults.append("it holds a secret")
    return tuple(faults)


def _of_variables(known: Variables, used: Sequence[str]) -> list[str]:
    faults = [f"the turn has no {{{{{name}}}}}" for name in sorted(known.needed - set(used))]
    faults += [f"{{{{{name}}}}} is unknown here" for name in sorted(set(used) - known.all)]
    faults += [f"{{{{{name}}}}} stands twice" for name in sorted(set(used)) if used.count(name) > 1]
    return faults


def render(prompt: Prompt, data: Mapping[str, Sequence[Data]]) -> str:
    """The turn with its data. A line whose variables have nothing to show is left out."""
    lines = []
    for line in prompt.turn.splitlines():
        used = VARIABLE.findall(line)
        if used and not any(data.get(name) for name in used):
            continue
        lines.append(VARIABLE.sub(lambda found: _blocks(data.get(found[1], ())), line))
    return "\n".join(lines)


def _blocks(data: Sequence[Data]) -> str:
    return "\n".join(_block(each) for each in data)


def _block(data: Data) -> str:
    head = f'{data.tag} by="{_inside(data.by)}"' if data.by else data.tag
    return f"<{head}>\n{_inside(data.text)}\n</{data.tag}>"


def _inside(text: str) -> str:
    """A delimiter inside a text is broken, so that it cannot close its block."""
    return text.replace("<", "‹")
