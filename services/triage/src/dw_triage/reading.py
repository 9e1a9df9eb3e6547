"""The part of a chat event that triage reads. Triage is the step that every message pays for, so it reads no more;
whoever acts on an event reads all of it again, with the seal."""

from __future__ import annotations

from typing import Any

from dw_contracts.dead_letters import FailureKind
from dw_contracts.events.chat import ChatEvent
from dw_contracts.strict_json import NotStrictJson, loads
from dw_runtime import Permanent, Record, check_key

_KINDS = frozenset({"message_in", "message_out", "edit", "delete", "tool_run", "correction"})
_CHAT = frozenset({"message_in", "message_out", "edit", "delete"})
_RARE = frozenset(
    {"reply_to", "flags", "redactions", "injection_suspect", "imported", "claim", "learning", "bot_granted"}
)


class TriageEvent:
    """Fields as they stand in the record; ids stay text, since they only pass through. Most events have none of the
    fields that stand here with a value; the classifier reads the rest (dw_learning.triage.Readable)."""

    prev: str | None = None
    prev_author: str | None = None
    flags: frozenset[str] = frozenset()
    redactions: bool = False
    injection_suspect: bool = False
    imported: bool = False
    claim: bool = False
    learning: str = "auto"
    bot_granted: bool = False

    def __init__(self, raw: dict[str, Any]) -> None:
        self.event_id: str = raw["event_id"]
        self.org_id: str = raw["org_id"]
        self.role_agent_id: str = raw["role_agent_id"]
        self.channel_id: str = raw["channel_id"]
        self.kind: str = raw["kind"]
        self.text: str = raw.get("text", "") if self.kind in _CHAT else _text_of(raw)
        self.sender_kind: str = raw["sender"].get("kind", "human")
        if not _RARE.isdisjoint(raw):
            self._read_rare(raw)

    def _read_rare(self, raw: dict[str, Any]) -> None:
        if reply := raw.get("reply_to"):
            self.prev, self.prev_author = reply.get("text", ""), reply.get("author_kind", "human")
        if flags := raw.get("flags"):
            self.flags = frozenset(name for name, on in flags.items() if on)
        self.redactions = bool(raw.get("redactions"))
        self.injection_suspect = bool(raw.get("injection_suspect"))
        self.imported = bool(raw.get("imported"))
        self.claim = bool(raw.get("claim"))
        self.learning = raw.get("learning", "auto")
        self.bot_granted = bool(raw.get("bot_granted"))


def _text_of(raw: dict[str, Any]) -> str:
    if raw["kind"] == "correction":
        return str(raw["correction"]["right"])
    if raw["kind"] == "tool_run":
        return str(raw["tool"].get("output", ""))
    return ""


def read_event(record: Record) -> TriageEvent:
    """Read the fast way what ingest wrote; anything that does not fit is read again in full, for a precise reason."""
    if record.value is None:
        raise Permanent("the record has no value")
    try:
        raw = loads(record.value)
    except NotStrictJson as error:
        raise Permanent(str(error)) from None
    if raw.get("schema_version") != 1:
        raise _other_version(raw)
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
        and type(event.text) is str
        and type(event_id) is str
        and len(event_id) == 36
        and type(channel_id) is str
        and len(channel_id) == 36
    )


def _other_version(raw: dict[str, Any]) -> Permanent:
    """One that is said and not ours counts towards the limit of C76; a record that says none is only hostile."""
    if "schema_version" in raw:
        return Permanent("schema_version is not 1", FailureKind.UNKNOWN_VERSION)
    return _precise(raw)


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
