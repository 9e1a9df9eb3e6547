"""The strict format of a skill: front matter of five keys, one title at most, four sections in order (R196, R197).

Every fault names its line, counted from 1 as an editor does. A document without faults is a SkillDocument; there is
no other way to one from text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, cast, get_args

from dw_learning.skill_draft import MAX_DESCRIPTION, SECTIONS, SkillRisk
from dw_learning.skills.front import FENCE, KEYS, front_matter, lines_of, read_scalar

MAX_NAME: Final = 64
MAX_BODY_CHARS: Final = 20_000
RISKS: Final[tuple[SkillRisk, ...]] = get_args(SkillRisk)
NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
AGENT: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEY: Final = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?")
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_CODE: Final = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which line (from 1)."""

    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


@dataclass(frozen=True, slots=True)
class SkillDocument:
    """A skill that keeps the format. `sections` are texts without their headings, in the order of SECTIONS."""

    name: str
    description: str
    agent: str
    risk: SkillRisk
    title: str
    sections: tuple[str, str, str, str]


def read_skill(text: str) -> SkillDocument | tuple[Fault, ...]:
    """The document, or every fault of it, in order of lines. Sections may be empty only where they came so (C82)."""
    if len(text) > MAX_BODY_CHARS:
        return (Fault(1, f"a skill has at most {MAX_BODY_CHARS} characters"),)
    lines = lines_of(text)
    end = _end_of_front(lines)
    if isinstance(end, Fault):
        return (end,)
    values, faults = _front(lines, end)
    title, sections, more = _body(lines, end + 1)
    faults += more
    if faults:
        return tuple(sorted(faults, key=lambda fault: fault.line))
    found = tuple(sections[name] for name in SECTIONS)
    return SkillDocument(
        values["name"],
        values["description"],
        values["agent"],
        cast(SkillRisk, values["risk"]),  # one of RISKS, or there were a fault
        title,
        cast(tuple[str, str, str, str], found),  # SECTIONS are four
    )


def write_skill(document: SkillDocument) -> str:
    """The text that read_skill reads back to the same document."""
    head = f"# {document.title}\n\n" if document.title else ""
    parts = [
        f"## {name}\n{text}\n" if text else f"## {name}\n"
        for name, text in zip(SECTIONS, document.sections, strict=True)
    ]
    front = front_matter(document.name, document.description, document.agent, document.risk)
    return front + head + "\n".join(parts)


def _end_of_front(lines: list[str]) -> int | Fault:
    if lines[0].rstrip() != FENCE:
        return Fault(1, "begin with --- and the front matter")
    for at, line in enumerate(lines[1:], start=1):
        if line.rstrip() == FENCE:
            return at
    return Fault(len(lines), "the front matter has no closing ---")


def _front(lines: list[str], end: int) -> tuple[dict[str, str], list[Fault]]:
    values: dict[str, str] = {}
    faults: list[Fault] = []
    for number, line in enumerate(lines[1:end], start=2):
        if not line.strip():
            continue
        found = _KEY.fullmatch(line.rstrip())
        if found is None:
            faults.append(Fault(number, "write one `key: value` a line"))
            continue
        key, value = found[1], read_scalar(found[2] or "")
        if key not in KEYS:
            faults.append(Fault(number, f"unknown key {key}: there are {', '.join(KEYS)}"))
        elif key in values:
            faults.append(Fault(number, f"{key} stands twice"))
        else:
            values[key] = value or ""
            if problem := _wrong(key, value):
                faults.append(Fault(number, problem))
    faults += [Fault(end + 1, f"the key {key} is missing") for key in KEYS if key not in values]
    return values, faults


def _wrong(key: str, value: str | None) -> str | None:
    """What is wrong with the value of a known key."""
    if value is None:
        return f"{key} must be one line of text, with its quotes closed"
    if not value:
        return f"{key} is empty"
    match key:
        case "name":
            fits = len(value) <= MAX_NAME and NAME.fullmatch(value) is not None
            return None if fits else f"name must be kebab-case (a-z, 0-9, -), at most {MAX_NAME} characters"
        case "description":
            fits = len(value) <= MAX_DESCRIPTION
            return None if fits else f"description has more than {MAX_DESCRIPTION} characters"
        case "scope":
            return None if value == "role_agent" else "scope must be role_agent"
        case "agent":
            return None if AGENT.fullmatch(value) else "agent must be the code of a role-agent"
        case _:
            return None if value in RISKS else f"risk must be one of {', '.join(RISKS)}"


def _body(lines: list[str], start: int) -> tuple[str, dict[str, str], list[Fault]]:
    """Title, sections by name, faults. A heading inside a block of code is text."""
    title, current, faults = "", "", list[Fault]()
    texts: dict[str, list[str]] = {}
    fence = ""
    for number, line in enumerate(lines[start:], start=start + 1):
        fence, is_code = _fenced(line, fence)
        heading = None if is_code else _HEADING.fullmatch(line)
        level = len(heading[1]) if heading is not None else 0
        if heading is not None and level == 1:
            if title or texts:
                faults.append(Fault(number, "one title at most, and above the sections"))
            title = heading[2]
        elif heading is not None and level == 2:
            current = heading[2]
            if problem := _misplaced(current, texts):
                faults.append(Fault(number, problem))
            texts.setdefault(current, [])
        elif current:
            texts[current].append(line)
        elif line.strip():
            faults.append(Fault(number, "text stands outside the sections"))
    if fence:
        faults.append(Fault(len(lines), "a block of code is not closed"))
    missing = [name for name in SECTIONS if name not in texts]
    faults += [Fault(len(lines), f"the section ## {name} is missing") for name in missing]
    return title, {name: "\n".join(text).strip("\n").rstrip() for name, text in texts.items()}, faults


def _fenced(line: str, fence: str) -> tuple[str, bool]:
    """The open fence after this line, and whether the line belongs to code."""
    mark = _CODE.fullmatch(line)
    if not fence:
        return (mark[1], True) if mark is not None else ("", False)
    closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
    return ("" if closes else fence), True


def _misplaced(name: str, seen: dict[str, list[str]]) -> str | None:
    if name not in SECTIONS:
        return f"unknown section {name}: there are {', '.join(SECTIONS)}"
    if name in seen:
        return f"the section {name} stands twice"
    later = [other for other in SECTIONS[SECTIONS.index(name) + 1 :] if other in seen]
    return f"the section {name} must stand before {later[0]}" if later else None
