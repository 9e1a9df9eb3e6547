"""From what somebody explained to a skill in the strict format: front matter and four sections (R196, R197)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from dw_learning.skills.front import front_matter

SECTIONS = ("When To Use", "Procedure", "Do Not Do", "Verification")
MAX_NAME = 48
MAX_DESCRIPTION = 1_024
_OWN_HEADINGS = re.compile(rf"^## +(?:{'|'.join(SECTIONS)})[ \t]*\n?", re.MULTILINE)
SkillRisk = Literal["low", "medium", "high", "sensitive"]


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """A skill that could become a version."""

    name: str
    description: str
    risk: SkillRisk
    body_md: str


def draft_skill(text: str, key: str, agent_code: str, risk: SkillRisk) -> SkillDraft:
    """A body that already has the sections is kept; anything else becomes the procedure. Keeps the strict format."""
    title = _title(text, key)
    name = _kebab(key) or _kebab(title) or "procedure"
    description = " ".join(f"Use when the task is: {title}.".split())[:MAX_DESCRIPTION]
    body = text.strip() if is_whole(text) else _sections(title, _as_steps(text))
    front = front_matter(name, description, agent_code, risk)
    return SkillDraft(name, description, risk, front + body + "\n")


def words_of(body: str) -> str:
    """A body without the four headings: those are the format's, and say nothing about what somebody wants stored."""
    return _OWN_HEADINGS.sub("", body)


def is_whole(text: str) -> bool:
    """The four sections in order, each once, and no other heading of their rank."""
    headings = re.findall(r"^## +(.*?) *$", text, re.MULTILINE)
    before = text.strip().split("\n## ", 1)[0]
    is_headed = re.fullmatch(r"(?:# [^\n]*\s*)?", before) is not None
    return headings == list(SECTIONS) and is_headed and "```" not in text and text.count("\n# ") == 0


def _as_steps(text: str) -> str:
    """Somebody's words inside a section: their headings take a lower rank, and their block of code an end."""
    lower = re.sub(
        r"^#{1,2}(?=\s)", "###", text.strip().replace("\r\n", "\n").replace("\r", "\n"), flags=re.MULTILINE
    )
    return re.sub(r"^(\s{0,3})(```+|~~~+)", r"\1    \2", lower, flags=re.MULTILINE)


def _sections(title: str, text: str) -> str:
    return (
        f"# {title}\n\n## When To Use\n{title}.\n\n## Procedure\n{text}\n\n"
        "## Do Not Do\n- Do not skip or reorder a step.\n\n## Verification\nEvery step above is done.\n"
    )


def _title(text: str, key: str) -> str:
    head = re.match(r"^# (.+)$", text, re.MULTILINE)
    if head:
        return _line(head.group(1))
    before = re.split(r"[:：\n]", text.strip(), maxsplit=1)[0]
    chosen = before if 4 <= len(before) <= 80 else re.sub(r"[-_]+", " ", key)
    return _line(chosen)[:80].capitalize()


def _line(text: str) -> str:
    """One line that can begin one: nothing before its words would make it a heading or the fence of a block."""
    return " ".join(text.split()).lstrip("#`~ ")


def _kebab(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
