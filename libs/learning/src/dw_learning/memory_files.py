"""One entry of a role-agent's memory as a markdown file: front matter of known keys, then the text (R188). Pure.

The file is a picture of a row (R25). It is read strictly: who edits one by hand is told the line that is wrong, and
nothing in it can be more than text. A file's name follows from layer and key, so that writing again replaces it.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_learning.skills.format import Fault
from dw_learning.skills.front import FENCE, lines_of, read_scalar

MAX_FILE_CHARS: Final = 16_384
MAX_CONTENT: Final = 600
MAX_KEY: Final = 110
MAX_METADATA: Final = 4_096
LAYERS: Final = ("operating", "knowledge")
TYPES: Final = ("fact", "preference", "rule", "decision", "correction", "contact", "glossary")
MARKS: Final = frozenset({"source_deleted", "source_edited", "source_identity_revoked"})
"""Ours, in a memory's metadata (C102): they are neither exported nor imported."""
NEEDED: Final = ("key", "layer", "type", "status")
TOLD: Final = ("id", "origin", "created", "updated", "source_session")
"""Written for the reader; what an import says comes from the database alone."""
KEYS: Final = (*NEEDED, "category", "subject", "metadata", *TOLD)
_ENTRY: Final = re.compile(r"([a-z_]{1,32}):(?: (.*))?")


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """What a file says. `told` are values for the reader, by key of TOLD."""

    key: str
    content: str
    layer: str = "knowledge"
    memory_type: str = "fact"
    category: str = "fact"
    subject: UUID | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)


def file_name(entry: MemoryFile) -> str:
    """`layer/words-of-the-key-12345678.md`: of letters, digits and hyphens, whatever the key holds."""
    plain = unicodedata.normalize("NFKD", entry.key).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "entry"
    place = f"{entry.layer}\x00{entry.key}\x00{entry.subject or ''}"
    return f"{entry.layer}/{words}-{hashlib.sha256(place.encode()).hexdigest()[:8]}.md"


def write_memory_file(entry: MemoryFile) -> str:
    """The text that read_memory_file reads back to the same entry."""
    values = {
        **{name: entry.told[name] for name in ("id",) if name in entry.told},
        "key": entry.key,
        "layer": entry.layer,
        "type": entry.memory_type,
        "category": entry.category,
        "status": "active",
        **({"subject": str(entry.subject)} if entry.subject else {}),
        **{name: value for name, value in entry.told.items() if name != "id" and value},
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
    if entry.metadata:
        lines.append(f"metadata: {json.dumps(dict(entry.metadata), ensure_ascii=False, sort_keys=True)}")
    return "\n".join([FENCE, *lines, FENCE, "", entry.content, ""])


def read_memory_file(text: str) -> MemoryFile | tuple[Fault, ...]:
    """The entry, or everything that is wrong with it, by line from 1."""
    if len(text) > MAX_FILE_CHARS:
        return (Fault(1, f"a memory file has at most {MAX_FILE_CHARS} characters"),)
    lines = lines_of(text)
    faults = [
        Fault(n, "holds a sign that cannot be seen") for n, line in enumerate(lines, 1) if _hidden(line)
    ]
    if faults:
        return tuple(faults[:20])
    if lines[0].rstrip() != FENCE:
        return (Fault(1, "begin with --- and the front matter"),)
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == FENCE), None)
    if end is None:
        return (Fault(len(lines), "the front matter has no closing ---"),)
    values, faults = _front(lines[1:end])
    faults += [Fault(end + 1, f"the key {key} is missing") for key in NEEDED if key not in values]
    content = "\n".join(lines[end + 1 :]).strip()
    if not content:
        faults.append(Fault(end + 2, "there is no text below the front matter"))
    if len(content) > MAX_CONTENT:
        faults.append(
            Fault(end + 2, f"a memory has at most {MAX_CONTENT} characters, this has {len(content)}")
        )
    if faults:
        return tuple(sorted(faults, key=lambda fault: fault.line)[:20])
    return MemoryFile(
        key=values["key"],
        content=content,
        layer=values["layer"],
        memory_type=values["type"],
        category=values.get("category", values["type"]),
        subject=UUID(values["subject"]) if "subject" in values else None,
        metadata=json.loads(values.get("metadata", "{}")),
        told={name: values[name] for name in TOLD if name in values},
    )


def _front(lines: list[str]) -> tuple[dict[str, str], list[Fault]]:
    values: dict[str, str] = {}
    faults: list[Fault] = []
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        found = _ENTRY.fullmatch(line.rstrip())
        if found is None:
            faults.append(Fault(number, "write one `key: value` a line"))
            continue
        key, raw = found[1], (found[2] or "").strip()
        if key not in KEYS:
            faults.append(Fault(number, f"unknown key: there are {', '.join(KEYS)}"))
        elif key in values:
            faults.append(Fault(number, f"{key} stands twice"))
        else:
            value = raw if key == "metadata" else read_scalar(raw)
            values[key] = value or ""
            if problem := _wrong(key, value):
                faults.append(Fault(number, problem))
    return values, faults


def _wrong(key: str, value: str | None) -> str | None:
    """What is wrong with the value of a known key."""
    if value is None or "\n" in value:
        return f"{key} must be one line of text, with its quotes closed"
    match key:
        case "metadata":
            return _wrong_metadata(value)
        case "key":
            return None if 0 < len(value.strip()) <= MAX_KEY else f"key has 1 to {MAX_KEY} characters"
        case "layer":
            return None if value in LAYERS else f"layer must be one of {', '.join(LAYERS)}"
        case "type":
            return None if value in TYPES else f"type must be one of {', '.join(TYPES)}"
        case "status":
            return None if value == "active" else "status must be active: what is over is not imported"
        case "category":
            return None if 0 < len(value) <= 100 else "category has 1 to 100 characters"
        case "subject" | "id":
            return _unless(UUID, value, f"{key} must be an id")
        case "created" | "updated":
            return _unless(
                datetime.fromisoformat, value, f"{key} must be a time such as 2026-03-01T09:00:00Z"
            )
        case _:
            return None if len(value) <= 256 else f"{key} has at most 256 characters"


def _wrong_metadata(value: str) -> str | None:
    problem = f"metadata must be a JSON object of at most 20 keys and {MAX_METADATA} bytes on one line"
    try:
        found = json.loads(value, parse_constant=_refused)
    except (ValueError, RecursionError):
        return problem
    if not isinstance(found, dict) or len(found) > 20 or len(value.encode()) > MAX_METADATA:
        return problem
    return "metadata holds a mark that only we set" if MARKS & found.keys() else None


def _refused(constant: str) -> None:
    raise ValueError(constant)


def _unless(read: Callable[[str], object], value: str, problem: str) -> str | None:
    try:
        read(value)
    except ValueError:
        return problem
    return None


def _hidden(line: str) -> bool:
    """Control signs, and formats such as right-to-left marks and tag characters, but for what joins letters."""
    return any(
        unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co") and sign not in "\t\u200c\u200d"
        for sign in line
    )
