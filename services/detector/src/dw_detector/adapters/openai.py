"""Any OpenAI-compatible endpoint: POST chat/completions with response_format json_schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import orjson

from dw_detector.adapters.http import KeySource, count, post
from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import Completion, ModelCall
from dw_learning.gate.prices import Tokens
from dw_runtime import Handle


@dataclass(frozen=True, slots=True)
class OpenAiTarget:
    """One model."""

    client: Handle[httpx.AsyncClient]
    model: str
    keys: KeySource
    provider: str = "openai"

    def body(self, call: ModelCall) -> bytes:
        """Nothing in it but the prompt: no tools, no ids of ours (D10)."""
        roles = ("user", "assistant")
        turns = [{"role": roles[at % 2], "content": text} for at, text in enumerate(call.turns)]
        return orjson.dumps(
            {
                "model": self.model,
                "temperature": 0,
                "max_tokens": call.feature.max_output_tokens,
                "messages": [{"role": "system", "content": call.system}, *turns],
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": call.form.name, "schema": call.form.schema},
                },
            }
        )

    async def send(self, body: bytes) -> Completion:
        """One try."""
        answer: Any = await post(self.client, "chat/completions", body, self.keys, {})
        try:
            content = str(answer["choices"][0]["message"]["content"])
            model = str(answer.get("model") or "")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise InvalidAnswer("the envelope is not that of a chat completion") from None
        usage = answer.get("usage")
        tokens = Tokens(
            input=count(usage, "prompt_tokens"),
            output=count(usage, "completion_tokens"),
            cached=count(usage, "prompt_tokens_details", "cached_tokens"),
            reasoning=count(usage, "completion_tokens_details", "reasoning_tokens"),
        )
        return Completion(content, tokens, model)
