"""From what somebody explained to a skill in the strict format: front matter and four sections (R196, R197)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

SECTIONS = ("When To Use", "Procedure", "Do Not Do", "Verification")
MAX_NAME = 48
MAX_DESCRIPTION = 1_024
SkillRisk = Literal["low", "medium", "high", "sensitive"]


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """A skill that could become a version."""

    name: str
    description: str
    risk: SkillRisk
    body_md: str


def draft_skill(text: str, key: str, agent_code: str, risk: SkillRisk) -> SkillDraft:
    """A body that already has the sections is kept; anything else becomes the procedure."""
    title = _title(text, key)
    name = _kebab(key) or _kebab(title) or "procedure"
    description = f"Use when the task is: {title}."[:MAX_DESCRIPTION]
    body = (
        text.strip()
        if all(f"## {section}" in text for section in SECTIONS)
        else _sections(title, text.strip())
    )
    front = f"---\nname: {name}\ndescription: {description}\nscope: role_agent\nagent: {agent_code}\nrisk: {risk}\n---\n\n"
    return SkillDraft(name, description, risk, front + body + "\n")


def _sections(title: str, text: str) -> str:
    return (
        f"# {title}\n\n## When To Use\n{title}.\n\n## Procedure\n{text}\n\n"
        "## Do Not Do\n- Do not skip or reorder a step.\n\n## Verification\nEvery step above is done.\n"
    )


def _title(text: str, key: str) -> str:
    head = re.match(r"^# (.+)$", text, re.MULTILINE)
    if head:
        return head.group(1).strip()
    before = re.split(r"[:：\n]", text.strip(), maxsplit=1)[0]
    chosen = before if 4 <= len(before) <= 80 else re.sub(r"[-_]+", " ", key)
    return " ".join(chosen.split())[:80].capitalize()


def _kebab(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
