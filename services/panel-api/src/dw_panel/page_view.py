"""An item as a person reads it: what is asked, in which words, and why a button is not there. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.learning import BulkResult
from dw_contracts.http.panel import LearningItemView
from dw_learning.authority import SKILL_KINDS
from dw_learning.skill_draft import draft_skill
from dw_panel.answers import AgentView
from dw_panel.views import MASK, split_at_marks

_WORDS: Final = re.compile(r"\S+\s*|\s+")
HIDDEN_TITLE: Final = "Text hidden"


@dataclass(frozen=True, slots=True)
class Words:
    """Heading of the text in question, and what the two buttons say."""

    heading: str
    approve: str
    reject: str


_SKILL: Final = Words("The procedure", "Activate skill", "Reject")
_NEW: Final = Words("What it would learn", "Approve", "Reject")
WORDS: Final[dict[tuple[str, str], Words]] = {
    ("memory_proposal", "update"): Words("What it would know instead", "Approve the change", "Keep as it is"),
    ("memory_proposal", "archive"): Words("What would be forgotten", "Forget it", "Keep it"),
    ("review", "review"): Words("The memory in question", "Keep it", "Archive it"),
    ("skill_proposal", "create"): _SKILL,
    ("skill_update", "update"): _SKILL,
}


@dataclass(frozen=True, slots=True)
class Source:
    """One line of evidence."""

    channel: str
    at: datetime
    verified: bool
    excerpt: str


@dataclass(frozen=True, slots=True)
class ItemOnPage:
    """`pieces` is the text, marked or not; `skill_body` what a procedure would become."""

    view: LearningItemView
    title: str
    agent: str
    words: Words
    pieces: tuple[tuple[str, bool], ...]
    skill_body: str
    sources: tuple[Source, ...]
    changes: tuple[tuple[str, str], ...]
    is_hidden: bool
    is_for_bulk: bool
    is_overdue: bool
    is_out_of_date: bool
    why_not: str


def on_page(
    view: LearningItemView,
    agents: Mapping[UUID, AgentView],
    channels: Mapping[UUID, str],
    now: datetime,
) -> ItemOnPage:
    """Of what the reader may see, and no more."""
    agent = agents.get(view.role_agent_id)
    text, hidden = _text(view), view.payload.get("content") == MASK
    pending = view.status == "pending"
    return ItemOnPage(
        view=view,
        title=title_of(view),
        agent=agent.name if agent is not None else "role-agent",
        words=WORDS.get((view.kind, view.action), _NEW),
        pieces=tuple(split_at_marks(text, view.payload.get("marks") or ())),
        skill_body="" if hidden else _skill_body(view, agent.code if agent is not None else "agent"),
        sources=tuple(
            Source(channels.get(s.channel_id, "") if s.channel_id else "", s.at, s.verified, s.excerpt)
            for s in view.evidence
        ),
        changes=word_changes(view.current_text, text) if view.action == "update" and not hidden else (),
        is_hidden=hidden,
        is_for_bulk=pending
        and bool(view.allowed_actions)
        and not view.is_sensitive
        and view.risk != "sensitive",
        is_overdue=pending and view.due_at is not None and view.due_at < now,
        is_out_of_date=pending and view.out_of_date,
        why_not=_why_not(view, hidden) if pending and not view.allowed_actions else "",
    )


@dataclass(frozen=True, slots=True)
class BulkRowOnPage:
    """What became of one chosen item."""

    item_id: UUID
    title: str
    detail: str
    act_id: UUID | None


@dataclass(frozen=True, slots=True)
class BulkOnPage:
    """What became of all of them. `refused` is how many were not done."""

    done: str
    count: int
    refused: int
    rows: tuple[BulkRowOnPage, ...]


def bulk_on_page(action: str, results: Sequence[BulkResult], titles: Mapping[UUID, str]) -> BulkOnPage:
    """In the order of the list."""
    done = "approved" if action == "approve" else "rejected"
    rows = tuple(
        BulkRowOnPage(
            row.id,
            titles.get(row.id, "Item"),
            f"not {done}: {row.detail}" if row.status != 200 else done,
            row.act_id,
        )
        for row in results
    )
    refused = sum(row.status != 200 for row in results)
    return BulkOnPage(done, len(rows) - refused, refused, rows)


def title_of(view: LearningItemView) -> str:
    """The first line of its text, as far as the reader may read it."""
    if view.payload.get("content") == MASK:
        return HIDDEN_TITLE
    if files := view.payload.get("entries"):
        return _title_of_import(files)
    return (_text(view).strip().splitlines() or [""])[0]


def _title_of_import(files: Sequence[Mapping[str, Any]]) -> str:
    """How many, and the first topics: the text begins with a legend, which is no title."""
    topics = [str(row["key"]) for row in files[:3]]
    count = f"{len(files)} memory file{'' if len(files) == 1 else 's'}"
    return f"Import {count}: {', '.join(topics)}{', …' if len(files) > len(topics) else ''}"


def word_changes(old: str | None, new: str) -> tuple[tuple[str, str], ...]:
    """Old and new text as pieces that are kept, taken away or added, word by word. The new text is whole without what
    is taken away."""
    if old is None or old == MASK:
        return ()
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    pieces: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(("same", "".join(after[j1:j2])))
            continue
        if i2 > i1:
            pieces.append(("gone", "".join(before[i1:i2])))
        if j2 > j1:
            pieces.append(("new", "".join(after[j1:j2])))
    return tuple(pieces)


def text_for_edit(view: LearningItemView) -> str:
    """What stands in the field: the text as it may be read."""
    return str(view.payload.get("body_md") or _text(view))


def neighbours(items: Sequence[LearningItemView], chosen: UUID | None) -> tuple[UUID | None, UUID | None]:
    """The items before and after the one that is read, on this page of the list."""
    ids = [item.id for item in items]
    if chosen not in ids:
        return None, ids[0] if ids else None
    at = ids.index(chosen)
    return ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None


def _text(view: LearningItemView) -> str:
    payload = view.payload
    return str(payload.get("content") or payload.get("description") or payload.get("name") or "")


def _skill_body(view: LearningItemView, agent_code: str) -> str:
    """What is approved is shown as it would stand, not only the message that it came from."""
    if view.kind not in SKILL_KINDS:
        return ""
    if "body_md" in view.payload:
        return str(view.payload["body_md"])
    return draft_skill(_text(view), str(view.payload.get("key", "")), agent_code, view.risk).body_md


def _why_not(view: LearningItemView, hidden: bool) -> str:
    if hidden:
        return "Only admins and owners read and decide this."
    return "The words behind this are your own: another manager or an admin decides."
