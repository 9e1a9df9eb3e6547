"""The public Agent Skills folder (SKILL.md), in and out (C82).

Its readers know name, description, license, compatibility, metadata and allowed-tools: so scope, agent and risk travel
under metadata. Coming in, allowed-tools is taken away (a skill grants nothing), what we do not know is kept under
metadata, missing sections are added empty, scripts are refused. What we exported comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from dw_learning.skill_draft import MAX_DESCRIPTION, SECTIONS
from dw_learning.skills.format import MAX_NAME, NAME, RISKS, Fault, SkillDocument, read_skill, write_skill
from dw_learning.skills.front import FENCE, front_matter, lines_of, read_scalar, scalar

TOOLS: Final = "allowed-tools"
MAX_METADATA: Final = 32
OURS: Final = ("scope", "agent", "risk")
_TOP: Final = ("license", "compatibility")
_ENTRY: Final = re.compile(r"([ \t]*)([A-Za-z0-9_.-]+):(?:[ \t]+(.*))?")
_SCRIPT: Final = re.compile(
    r"(?:^|/)(?:scripts|bin)/|\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|exe|dll|so|jar|wasm|go|rs|lua)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Imported:
    """A skill that keeps our format. `stripped` names what was taken away, `metadata` what is kept beside."""

    document: SkillDocument
    metadata: Mapping[str, str]
    stripped: tuple[str, ...]


def export_skill(document: SkillDocument, metadata: Mapping[str, str] | None = None) -> str:
    """SKILL.md for any reader of the public format."""
    rest = dict(metadata or {})
    lines = [FENCE, f"name: {document.name}", f"description: {scalar(document.description)}"]
    lines += [f"{key}: {scalar(rest.pop(key))}" for key in _TOP if key in rest]
    lines += [
        "metadata:",
        "  scope: role_agent",
        f"  agent: {scalar(document.agent)}",
        f"  risk: {document.risk}",
    ]
    lines += [f"  {key}: {scalar(value)}" for key, value in sorted(rest.items()) if key not in OURS]
    front = front_matter(document.name, document.description, document.agent, document.risk)
    return "\n".join([*lines, FENCE, ""]) + write_skill(document)[len(front) - 1 :]


def import_skill(text: str, files: Sequence[str], agent: str) -> Imported | tuple[Fault, ...]:
    """For the role-agent that gets it. Faults name lines of SKILL.md; a script is a fault of line 1."""
    if scripts := [path for path in files if _SCRIPT.search(path)]:
        return (Fault(1, f"the folder holds scripts, which no skill may bring: {', '.join(scripts[:5])}"),)
    lines = lines_of(text)
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == FENCE), None)
    if lines[0].rstrip() != FENCE or end is None:
        return (Fault(1, "begin with --- and the front matter, and close it with ---"),)
    values, faults = _read_front(lines[1:end])
    faults += _wrong(values)
    if faults:
        return tuple(faults)
    document = _document(values, "\n".join(lines[end + 1 :]), agent)
    if isinstance(checked := read_skill(write_skill(document)), tuple):
        return checked
    rest = {key: value for key, value in values.items() if key not in ("name", "description", TOOLS, *OURS)}
    left_out = tuple(f"file {path}" for path in files if path.rpartition("/")[2] != "SKILL.md")
    stripped = ((TOOLS,) if TOOLS in values else ()) + left_out
    return Imported(checked, dict(list(rest.items())[:MAX_METADATA]), stripped)


def _read_front(lines: Sequence[str]) -> tuple[dict[str, str], list[Fault]]:
    """Values by key; those of metadata beside the others. Lists and blocks of text become one line."""
    values: dict[str, str] = {}
    faults: list[Fault] = []
    open_key = ""
    for number, line in enumerate(lines, start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        entry = _ENTRY.fullmatch(line.rstrip())
        is_part = line[0] in " \t-" and open_key != "" and open_key != "metadata"
        if is_part:
            values[open_key] = f"{values[open_key]} {line.strip().removeprefix('- ')}".strip()
        elif entry is None or (entry[1] and open_key != "metadata"):
            faults.append(Fault(number, "write one `key: value` a line"))
        else:
            open_key = _take(entry, number, values, faults, open_key)
    return values, faults


def _take(
    entry: re.Match[str], number: int, values: dict[str, str], faults: list[Fault], open_key: str
) -> str:
    """One entry. Gives the key that lines below may belong to."""
    key, raw = entry[2], (entry[3] or "").strip()
    if not entry[1] and key == "metadata" and not raw:
        return key
    if key in values:
        faults.append(Fault(number, f"{key} stands twice"))
        return open_key
    is_block = raw in ("", "|", ">", "|-", ">-")
    value = "" if is_block else raw.strip("[]") if raw.startswith("[") else read_scalar(raw)
    if value is None:
        faults.append(Fault(number, f"{key} must be one line of text, with its quotes closed"))
    values[key] = value or ""
    return open_key if entry[1] else key if is_block else ""


def _wrong(values: Mapping[str, str]) -> list[Fault]:
    faults = []
    name, description = values.get("name", ""), values.get("description", "")
    if not NAME.fullmatch(name) or len(name) > MAX_NAME:
        faults.append(Fault(2, f"name must be kebab-case (a-z, 0-9, -), at most {MAX_NAME} characters"))
    if not 0 < len(description) <= MAX_DESCRIPTION:
        faults.append(Fault(2, f"description must have 1 to {MAX_DESCRIPTION} characters"))
    return faults


def _document(values: Mapping[str, str], body: str, agent: str) -> SkillDocument:
    risk = values.get("risk", "")
    empty = SkillDocument(
        values["name"],
        " ".join(values["description"].split()),
        agent,
        risk if risk in RISKS else "medium",
        "",
        ("", "", "", ""),
    )
    front = front_matter(empty.name, empty.description, agent, empty.risk)
    ours = read_skill(front + body)
    return ours if isinstance(ours, SkillDocument) else _sorted(empty, body)


def _sorted(empty: SkillDocument, body: str) -> SkillDocument:
    """A foreign body: what has our headings goes there, all else into the procedure with headings of a lower rank."""
    title = ""
    parts: dict[str, list[str]] = {name: [] for name in SECTIONS}
    current = "Procedure"
    is_code = False
    for line in body.strip().split("\n"):
        is_code ^= re.match(r"\s{0,3}(?:```|~~~)", line) is not None
        level = 0 if is_code else len(line) - len(line.lstrip("#"))
        heading = line.lstrip("#").strip()
        if level == 1 and not title and not any(any(lines) for lines in parts.values()):
            title = heading
        elif level == 2 and heading.title() in SECTIONS:
            current = heading.title()
        elif level in (1, 2) and line[level : level + 1] in (" ", "\t"):
            current = "Procedure"
            parts[current].append(f"### {heading}")
        else:
            parts[current].append(line)
    if is_code:
        parts[current].append("```")
    texts = tuple("\n".join(parts[name]).strip("\n").rstrip() for name in SECTIONS)
    return replace(empty, title=title, sections=cast(tuple[str, str, str, str], texts))
