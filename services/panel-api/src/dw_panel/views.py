"""Rows as readers may see them: harmless, and masked where the text is not theirs to read (C95). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.panel import AuditEvent, Evidence, LearningItemView
from dw_learning import scan
from dw_learning.authority import ItemFacts, Person, allowed_actions, is_for_admins, may_decide, sees_text
from dw_learning.authority_acts import acts_on_item, may_change_memory
from dw_learning.memory_files import MARKS
from dw_panel.answers import MemoryView, marks_of
from dw_store.decide_item import base_changed

MAX_EVIDENCE: Final = 50
MASK: Final = "[hidden: admins and owners decide this]"
_PLAIN: Final = (
    "id", "role_agent_id", "kind", "action", "status", "risk", "is_sensitive", "reason_code", "explanation",
    "evidence_count", "sender_verified", "row_version", "created_at", "due_at", "decided_by", "decided_at",
    "source_marks",
    "decision_kind", "assigned_to", "claimed_by", "claimed_until", "escalated_at", "expires_at", "copy_of",
    "converted_from", "superseded_by", "undone_at",
)  # fmt: skip
_MEMORY: Final = (
    "id", "role_agent_id", "scope", "status", "layer", "memory_type", "category", "risk", "is_sensitive", "origin",
    "sender_verified", "learning_item_id", "row_version", "created_at", "last_confirmed_at", "expires_at",
    "retention_policy", "source_kind", "use_count", "superseded_by",
)  # fmt: skip
_STRUCTURE: Final = ("memory_type", "category", "layer")


def facts_of(row: Any, authors: frozenset[UUID]) -> ItemFacts:
    """What authority rests on."""
    return ItemFacts(
        row["role_agent_id"], row["kind"], row["action"], row["risk"], row["is_sensitive"], authors
    )


def other_deciders(person: Person, facts: ItemFacts, deciders: Sequence[Any]) -> int:
    """How many others could decide this item (C61)."""
    people = [Person(row["user_id"], row["role"], frozenset(row["manages"])) for row in deciders]
    return sum(
        1
        for other in people
        if other.user_id != person.user_id and may_decide(other, facts, other_deciders=1) == "allowed"
    )


def item_view(
    row: Any,
    person: Person,
    authors: frozenset[UUID],
    deciders: Sequence[Any],
    closed: frozenset[UUID] = frozenset(),
) -> LearningItemView:
    """One item. `deciders` are those of its agent; `closed` are channels that this person may not read (D27)."""
    facts = facts_of(row, authors)
    shown = sees_text(person, is_sensitive=is_for_admins(facts))
    now_shown = sees_text(person, is_sensitive=row["current_is_sensitive"]) and shown
    refs = row["source_refs"][-MAX_EVIDENCE:][::-1]
    open_refs = [ref for ref in refs if channel_of(ref) not in closed]
    return LearningItemView(
        **{name: row[name] for name in _PLAIN},
        payload=_harmless(_with_org(row)) if shown else _masked(row["proposed_payload"]),
        current_text=_current(row["current_text"], now_shown),
        evidence=tuple(_evidence(ref, shown, row["created_at"]) for ref in open_refs),
        hidden_evidence=len(refs) - len(open_refs),
        confidence=float(row["confidence"]),
        acts=acts_on_item(person, facts, pending=row["status"] == "pending"),
        out_of_date=base_changed(row),
        was_edited=bool(row["edited_by"]),
        allowed_actions=allowed_actions(
            person,
            facts,
            pending=row["status"] == "pending",
            out_of_date=base_changed(row),
            other_deciders=other_deciders(person, facts, deciders),
        ),
    )


def _with_org(row: Any) -> Mapping[str, Any]:
    """Of a conflict: the org's word beside the role-agent's own (C19)."""
    payload: Mapping[str, Any] = row["proposed_payload"]
    return payload if row["org_text"] is None else {**payload, "org_text": row["org_text"]}


def _current(text: str | None, shown: bool) -> str | None:
    if text is None:
        return None
    return scan.inert(text) if shown else MASK


def _harmless(payload: Mapping[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {name: _inert(value) for name, value in payload.items()}
    content = payload.get("content")
    if isinstance(content, str) and payload.get("marks"):
        pieces = split_at_marks(content, payload["marks"])
        shown["content"] = "".join(text for text, _ in pieces)
        shown["marks"] = _places(pieces)
    return shown


def _inert(value: Any) -> Any:
    match value:
        case str():
            return scan.inert(value)
        case dict():
            return {scan.inert(name): _inert(part) for name, part in value.items()}
        case list():
            return [_inert(part) for part in value]
        case _:
            return value


def split_at_marks(text: str, marks: Sequence[Sequence[int]]) -> list[tuple[str, bool]]:
    """The text in pieces, harmless each, marked or not. Marks are places in the text as it was said."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted((int(mark[0]), int(mark[1])) for mark in marks):
        start = max(start, at)
        if start >= end or start >= len(text):
            continue
        pieces += [(scan.inert(text[at:start]), False), (scan.inert(text[start:end]), True)]
        at = min(end, len(text))
    pieces.append((scan.inert(text[at:]), False))
    return [piece for piece in pieces if piece[0]]


def _places(pieces: list[tuple[str, bool]]) -> list[list[int]]:
    places: list[list[int]] = []
    at = 0
    for text, marked in pieces:
        if marked:
            places.append([at, at + len(text)])
        at += len(text)
    return places


def _masked(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Keys and names hold words of the text too: only the structure is left."""
    return {"content": MASK} | {name: payload[name] for name in _STRUCTURE if name in payload}


def channel_of(ref: Mapping[str, Any]) -> UUID | None:
    """Where a source was said, if it was said in a channel."""
    return UUID(str(ref["channel_id"])) if ref.get("channel_id") else None


def _evidence(ref: Mapping[str, Any], shown: bool, fallback: datetime) -> Evidence:
    return Evidence(
        event_id=ref.get("event_id"),
        channel_id=ref.get("channel_id"),
        excerpt=scan.inert(str(ref.get("excerpt") or "")) if shown else "",
        verified=bool(ref.get("verified")),
        at=ref.get("at") or fallback,
    )


def memory_view(row: Any, person: Person) -> MemoryView:
    """One memory."""
    shown = sees_text(person, is_sensitive=row["is_sensitive"])
    allowed = may_change_memory(person, row["role_agent_id"], is_sensitive=row["is_sensitive"])
    return MemoryView(
        **{name: row[name] for name in _MEMORY},
        key=scan.inert(row["key"]) if shown else "",
        content=scan.inert(row["content"]) if shown else MASK,
        confidence=float(row["confidence"]),
        marks=marks_of(row["metadata"]),
        delete_reason=row["delete_reason"] if shown else None,
        metadata=_free_json(row["metadata"]) if shown else {},
        may_change=row["status"] == "active" and allowed == "allowed",
    )


def _free_json(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What people and agents put beside a memory, harmless; the marks stand for themselves."""
    return {scan.inert(name): _inert(value) for name, value in metadata.items() if name not in MARKS}


def audit_view(row: Any, person: Person) -> AuditEvent:
    """One learning event."""
    shown = sees_text(person, is_sensitive=row["is_sensitive"])
    return AuditEvent(
        id=row["event_id"],
        type=row["event_type"],
        actor_type=row["actor_type"],
        actor=row["actor_id"],
        on_behalf_of=row["on_behalf_of"],
        role_agent_id=row["role_agent_id"],
        subject_type=row["subject_type"],
        subject_id=row["subject_id"],
        reason=row["reason"] or "",
        before=row["before"] if shown or row["before"] is None else {"content": MASK},
        after=row["after"] if shown or row["after"] is None else {"content": MASK},
        source_event_id=row["source_event_id"],
        trace_id=row["trace_id"],
        at=row["at"],
    )
