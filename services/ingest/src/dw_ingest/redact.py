"""C53: a secret is taken out of every free-text field before Kafka; the rest of the sentence lives on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from dw_contracts.events.chat import MAX_TEXT_BYTES, Correction, Redaction, ReplyTo, Tool
from dw_contracts.http.ingest import InboundEvent
from dw_learning.identity_claims import REDACTION_TYPE, codes_in
from dw_learning.scan import Hit, clean_steps, is_credential

MAX_NAME, MAX_REPLY = 256, 2048
PACE = 1500
"""After so many characters others get their turn on the event loop: some milliseconds of scanning."""


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


class Pace:
    """Lets others run on the event loop, over the rows of a batch as within one long text."""

    def __init__(self) -> None:
        self._since = 0

    async def short(self, size: int) -> None:
        """A text of this many characters is about to be scanned at once."""
        self._since += size
        if self._since >= PACE:
            await self.step()

    async def step(self) -> None:
        self._since = 0
        await asyncio.sleep(0)


class _Fields:
    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self.redactions: list[Redaction] = []
        self.suspect = False

    async def clean(
        self, field: str, text: str, *, speaks: bool = True, most_chars: int | None = None
    ) -> str:
        """Redact one field. `speaks` is false where the words are not this sender's (what he answers to)."""
        if not text:
            return text
        await self._pace.short(len(text))
        steps = clean_steps(
            text,
            most_bytes=MAX_TEXT_BYTES,
            most_chars=most_chars,
            judge=speaks,
            also=_verification_codes(text),
        )
        while True:
            try:
                next(steps)
            except StopIteration as done:
                found = done.value
                break
            if len(text) > PACE // 2:
                await self._pace.step()
        self.suspect = self.suspect or found.suspect
        self.redactions += [
            Redaction(field=field, type=one.type, span=(one.start, one.end)) for one in found.taken
        ]
        cleaned: str = found.text
        return cleaned


def _verification_codes(text: str) -> list[Hit]:
    """C103: a code that claims nothing here must not lie about either."""
    rule = f"secret.{REDACTION_TYPE}"
    return [Hit(rule, REDACTION_TYPE, code.start(), code.end(), 1.0) for code in codes_in(text)]


async def redact_event(event: InboundEvent, pace: Pace | None = None) -> Redacted:
    """Scan every free-text field of the event; never holds the event loop for long, whatever was sent."""
    fields = _Fields(pace or Pace())
    text = await fields.clean("text", event.text)
    name = event.sender.display_name
    display_name = (
        await fields.clean("sender.display_name", name, speaks=False, most_chars=MAX_NAME) if name else name
    )
    reply_to, correction, tool = event.reply_to, event.correction, event.tool
    if reply_to is not None:
        told = await fields.clean("reply_to.text", reply_to.text, speaks=False, most_chars=MAX_REPLY)
        reply_to = reply_to.model_copy(update={"text": told})
    if correction is not None:
        correction = Correction(
            wrong=await fields.clean("correction.wrong", correction.wrong, speaks=False),
            right=await fields.clean("correction.right", correction.right),
        )
    if tool is not None:
        tool = Tool(
            name=await fields.clean("tool.name", tool.name, speaks=False, most_chars=MAX_NAME),
            input=await fields.clean("tool.input", tool.input),
            output=await fields.clean("tool.output", tool.output),
        )
    return Redacted(text, display_name, reply_to, correction, tool, tuple(fields.redactions), fields.suspect)


def secret_ids(event: InboundEvent) -> tuple[str, ...]:
    """Fields that name things and hold a credential. An id cannot be redacted: it would name another thing. So the event
    is refused."""
    reply = event.reply_to.message_ref if event.reply_to is not None else ""
    named = {
        "message_ref": event.message_ref,
        "thread_ref": event.thread_ref or "",
        "sender.external_user_id": event.sender.external_user_id,
        "sender.workspace_ref": event.sender.workspace_ref,
        "reply_to.message_ref": reply,
    }
    return tuple(field for field, value in named.items() if is_credential(value))
