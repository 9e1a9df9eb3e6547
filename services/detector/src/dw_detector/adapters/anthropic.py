"""Anthropic's messages: the answer is the input of one tool that is not run, so that it has our schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import httpx
import orjson

from dw_detector.adapters.http import KeySource, count, post
from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import Completion, ModelCall
from dw_learning.gate.prices import Tokens
from dw_runtime import Handle

VERSION: Final = {"anthropic-version": "2023-06-01"}


@dataclass(frozen=True, slots=True)
class AnthropicTarget:
    """One model. `base_url` ends in /v1."""

    client: Handle[httpx.AsyncClient]
    model: str
    keys: KeySource
    provider: str = "anthropic"

    def body(self, call: ModelCall) -> bytes:
        """The prompt and the form of the answer."""
        roles, form = ("user", "assistant"), call.form
        return orjson.dumps(
            {
                "model": self.model,
                "temperature": 0,
                "max_tokens": call.feature.max_output_tokens,
                "system": call.system,
                "messages": [{"role": roles[at % 2], "content": text} for at, text in enumerate(call.turns)],
                "tools": [{"name": form.name, "description": form.description, "input_schema": form.schema}],
                "tool_choice": {"type": "tool", "name": form.name},
            }
        )

    async def send(self, body: bytes) -> Completion:
        """One try. Tokens read from and written to the provider's cache are part of the input that is billed."""
        answer: Any = await post(self.client, "messages", body, self.keys, VERSION)
        try:
            said = next(part["input"] for part in answer["content"] if part["type"] == "tool_use")
            model = str(answer.get("model") or "")
        except (KeyError, StopIteration, TypeError, AttributeError):
            raise InvalidAnswer("the envelope is not that of a message with our tool") from None
        usage = answer.get("usage")
        fresh, cached = count(usage, "input_tokens"), count(usage, "cache_read_input_tokens")
        written = count(usage, "cache_creation_input_tokens") or 0
        tokens = Tokens(
            input=None if fresh is None else fresh + (cached or 0) + written,
            output=count(usage, "output_tokens"),
            cached=cached,
        )
        return Completion(orjson.dumps(said).decode(), tokens, model)
