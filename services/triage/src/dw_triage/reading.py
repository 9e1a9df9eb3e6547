"""The part of a chat event that triage reads. Triage is the step that every message pays for, so it reads no more;
whoever acts on an event reads all of it again, with the seal."""

from __future__ import annotations

from typing import Any

from dw_contracts.dead_letters import FailureKind
from dw_contracts.events.chat import ChatEvent
from dw_contracts.strict_json import NotStrictJson, loads
from dw_learning.triage import TriageInput
from dw_runtime import Permanent, Record, check_key

_KINDS = frozenset({"message_in", "message_out", "edit", "delete", "tool_run", "correction"})
_NO_FLAGS: frozenset[str] = frozenset()


class TriageEvent:
    """Fields as they stand in the record; ids stay text, since they only pass through."""

    __slots__ = (
        "bot_granted",
        "channel_id",
        "claim",
        "event_id",
        "flags",
        "imported",
        "injection_suspect",
        "kind",
        "learning",
        "org_id",
        "prev",
        "prev_author",
        "redactions",
        "role_agent_id",
        "sender_kind",
        "text",
    )

    def __init__(self, raw: dict[str, Any]) -> None:
        self.event_id: str = raw["event_id"]
        self.org_id: str = raw["org_id"]
        self.role_agent_id: str = raw["role_agent_id"]
        self.channel_id: str = raw["channel_id"]
        self.kind: str = raw["kind"]
        self.text: str = _text_of(raw)
        self.sender_kind: str = raw["sender"].get("kind", "human")
        reply = raw.get("reply_to")
        self.prev: str | None = reply.get("text", "") if reply else None
        self.prev_author: str | None = reply.get("author_kind", "human") if reply else None
        flags = raw.get("flags")
        self.flags: frozenset[str] = (
            frozenset(name for name, on in flags.items() if on) if flags else _NO_FLAGS
        )
        self.redactions: bool = bool(raw.get("redactions"))
        self.injection_suspect: bool = bool(raw.get("injection_suspect"))
        self.imported: bool = bool(raw.get("imported"))
        self.claim: bool = bool(raw.get("claim"))
        self.learning: str = raw.get("learning", "auto")
        self.bot_granted: bool = bool(raw.get("bot_granted"))

    def triage_input(self) -> TriageInput:
        """What the classifier sees."""
        return TriageInput(
            kind=self.kind,
            text=self.text,
            prev=self.prev,
            prev_author=self.prev_author,
            sender_kind=self.sender_kind,
            flags=self.flags,
        )


def _text_of(raw: dict[str, Any]) -> str:
    if raw["kind"] == "correction":
        return str(raw["correction"]["right"])
    if raw["kind"] == "tool_run":
        return str(raw["tool"].get("output", ""))
    return str(raw.get("text", ""))


def read_event(record: Record) -> TriageEvent:
    """Read the fast way what ingest wrote; anything that does not fit is read again in full, for a precise reason."""
    try:
        raw = loads(record.value or b"")
    except NotStrictJson as error:
        raise Permanent(str(error)) from None
    if raw.get("schema_version") != 1:
        raise Permanent("schema_version is not 1", FailureKind.UNKNOWN_VERSION)
    try:
        event = TriageEvent(raw)
        fits = _fits(event)
    except (KeyError, TypeError, AttributeError):
        fits = False
    if not fits:
        raise _precise(raw)
    check_key(record, event.org_id, event.role_agent_id)
    return event


def _fits(event: TriageEvent) -> bool:
    """Org and agent are held against the key; the other ids must look like ids."""
    event_id, channel_id = event.event_id, event.channel_id
    return (
        event.kind in _KINDS
        and type(event_id) is str
        and len(event_id) == 36
        and type(channel_id) is str
        and len(channel_id) == 36
    )


def _precise(raw: dict[str, Any]) -> Permanent:
    try:
        ChatEvent.model_validate(raw)
    except ValueError as error:
        return Permanent(describe(error))
    return Permanent("the event does not have the form that ingest writes")


def describe(error: ValueError) -> str:
    """Which fields are wrong, and how, without their values."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return "not a chat event"
    parts = [
        f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in errors(include_input=False, include_url=False)
    ]
    return "; ".join(parts[:5])
