"""Anthropic's messages: the answer is the input of one tool that is not run, so that it has our schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import orjson

from dw_detector.adapters.http import KeySource, RefusedByProvider, count, model_named, post
from dw_detector.adapters.openai import Manner
from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import CallFailed, Completion, ModelCall
from dw_learning.gate.failures import CallError
from dw_learning.gate.prices import Tokens
from dw_runtime import Handle

VERSION: Final = {"anthropic-version": "2023-06-01"}
ENDED: Final = {
    "max_tokens": CallError.CUT_OFF,
    "refusal": CallError.CONTENT_POLICY,
    "model_context_window_exceeded": CallError.CONTEXT_WINDOW,
}


@dataclass(frozen=True, slots=True)
class AnthropicTarget:
    """One model. `base_url` ends in /v1."""

    client: Handle[httpx.AsyncClient]
    model: str
    keys: KeySource
    provider: str = "anthropic"
    manner: Manner = field(default_factory=Manner)

    def body(self, call: ModelCall) -> bytes:
        """The prompt and the form of the answer."""
        roles, form = ("user", "assistant"), call.form
        asked: dict[str, Any] = {
            "model": self.model,
            "max_tokens": call.feature.max_output_tokens,
            "system": call.system,
            "messages": [{"role": roles[at % 2], "content": text} for at, text in enumerate(call.turns)],
            "tools": [{"name": form.name, "description": form.description, "input_schema": form.schema}],
            "tool_choice": {"type": "tool", "name": form.name},
        }
        if self.manner.temperature:
            asked["temperature"] = 0
        return orjson.dumps(asked)

    async def send(self, body: bytes) -> Completion:
        """One try. Tokens read from and written to the provider's cache are part of the input that is billed."""
        try:
            answer: Any = await post(self.client, "messages", body, self.keys, VERSION)
        except RefusedByProvider as refused:
            if self.manner.learns(refused, orjson.loads(body)):
                raise refused.in_another_form() from None
            raise
        try:
            parts = [part["input"] for part in answer["content"] if part["type"] == "tool_use"]
            ended, usage, model = answer.get("stop_reason"), answer.get("usage"), model_named(answer)
        except (KeyError, TypeError, AttributeError):
            raise InvalidAnswer("the envelope is not that of a message") from None
        tokens = _tokens(usage)
        if ended in ENDED:
            raise CallFailed(ENDED[ended], f"the answer ended with {ended}", status=200, tokens=tokens)
        if not parts:
            raise InvalidAnswer("the envelope is not that of a message with our tool")
        return Completion(orjson.dumps(parts[0]).decode(), tokens, model)


def _tokens(usage: Any) -> Tokens:
    fresh, cached = count(usage, "input_tokens"), count(usage, "cache_read_input_tokens")
    written = count(usage, "cache_creation_input_tokens") or 0
    return Tokens(
        input=None if fresh is None else fresh + (cached or 0) + written,
        output=count(usage, "output_tokens"),
        cached=cached,
    )
