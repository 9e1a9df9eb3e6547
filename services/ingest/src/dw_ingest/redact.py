"""C53: a secret is taken out of every free-text field before Kafka; the rest of the sentence lives on."""

from __future__ import annotations

from dataclasses import dataclass

from dw_contracts.events.chat import MAX_TEXT_BYTES, Correction, Redaction, ReplyTo, Tool
from dw_contracts.http.ingest import InboundEvent
from dw_learning.identity_claims import REDACTION_TYPE, codes_in
from dw_learning.scan import Hit, merged, redact, scan_injection, scan_secrets

RANDOM = "secret.opaque_token"


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text fields of an event as they may travel."""

    text: str
    display_name: str | None
    reply_to: ReplyTo | None
    correction: Correction | None
    tool: Tool | None
    redactions: tuple[Redaction, ...]
    injection_suspect: bool


class _Fields:
    def __init__(self) -> None:
        self.redactions: list[Redaction] = []
        self.suspect = False

    def clean(self, field: str, text: str, *, speaks: bool = True) -> str:
        """Redact one field. `speaks` is false where the words are not this sender's (what he answers to)."""
        if not text:
            return text
        if speaks and scan_injection(text):
            self.suspect = True
        hits = merged((*scan_secrets(text), *_verification_codes(text)))
        if not hits:
            return text
        shift = 0
        for hit in sorted(hits, key=lambda found: found.start):
            replaced = redact(
                text[hit.start : hit.end], [type(hit)(hit.rule, hit.type, 0, hit.end - hit.start, 1.0)]
            )
            start = hit.start + shift
            self.redactions.append(Redaction(field=field, type=hit.type, span=(start, start + len(replaced))))
            shift += len(replaced) - (hit.end - hit.start)
        return _within(redact(text, hits))


def _verification_codes(text: str) -> list[Hit]:
    """C103: a code that claims nothing here must not lie about either."""
    rule = f"secret.{REDACTION_TYPE}"
    return [Hit(rule, REDACTION_TYPE, code.start(), code.end(), 1.0) for code in codes_in(text)]


def _within(text: str) -> str:
    """A replacement may be longer than what it replaces: keep the field's limit."""
    encoded = text.encode()
    return text if len(encoded) <= MAX_TEXT_BYTES else encoded[:MAX_TEXT_BYTES].decode("utf-8", "ignore")


def redact_event(event: InboundEvent) -> Redacted:
    """Scan every free-text field of the event."""
    fields = _Fields()
    text = fields.clean("text", event.text)
    name = event.sender.display_name
    display_name = fields.clean("sender.display_name", name, speaks=False) if name else name
    reply_to, correction, tool = event.reply_to, event.correction, event.tool
    if reply_to is not None:
        reply_to = reply_to.model_copy(
            update={"text": fields.clean("reply_to.text", reply_to.text, speaks=False)[:2048]}
        )
    if correction is not None:
        correction = Correction(
            wrong=fields.clean("correction.wrong", correction.wrong, speaks=False),
            right=fields.clean("correction.right", correction.right),
        )
    if tool is not None:
        tool = Tool(
            name=fields.clean("tool.name", tool.name, speaks=False)[:256],
            input=fields.clean("tool.input", tool.input),
            output=fields.clean("tool.output", tool.output),
        )
    return Redacted(text, display_name, reply_to, correction, tool, tuple(fields.redactions), fields.suspect)


def secret_ids(event: InboundEvent) -> tuple[str, ...]:
    """Fields that name things and hold a credential of a known form. An id cannot be redacted: it would name another
    thing. So the event is refused. Random strings are let through: that is what ids of platforms look like."""
    reply = event.reply_to.message_ref if event.reply_to is not None else ""
    named = {
        "message_ref": event.message_ref,
        "thread_ref": event.thread_ref or "",
        "sender.external_user_id": event.sender.external_user_id,
        "sender.workspace_ref": event.sender.workspace_ref,
        "reply_to.message_ref": reply,
    }
    return tuple(
        field for field, value in named.items() if any(hit.rule != RANDOM for hit in scan_secrets(value))
    )
