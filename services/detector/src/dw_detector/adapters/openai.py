"""Any OpenAI-compatible endpoint: POST chat/completions with response_format json_schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import orjson

from dw_detector.adapters.http import KeySource, RefusedByProvider, count, model_named, post
from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import CallFailed, Completion, ModelCall
from dw_learning.gate.failures import CallError
from dw_learning.gate.prices import Tokens
from dw_runtime import Handle

BOUND: Final = "max_tokens"
NEW_BOUND: Final = "max_completion_tokens"  # reasoning models take this one alone
ENDED: Final = {"length": CallError.CUT_OFF, "content_filter": CallError.CONTENT_POLICY}


@dataclass(slots=True)
class Manner:
    """How a model wants to be asked: as it refuses a parameter, it is asked without."""

    bound: str = BOUND
    temperature: bool = True

    def learns(self, refused: RefusedByProvider, sent: dict[str, Any]) -> bool:
        """Whether the same question may be asked in another manner than it was sent in."""
        if refused.status not in (400, 422):
            return False
        if "temperature" in sent and refused.told.is_about("temperature"):
            self.temperature = False
            return True
        # a bound that is only too high stays under its name: an endpoint that knows no other would be without any
        if BOUND in sent and refused.told.is_about(BOUND) and NEW_BOUND in refused.told.message:
            self.bound = NEW_BOUND
            return True
        return False


@dataclass(frozen=True, slots=True)
class OpenAiTarget:
    """One model."""

    client: Handle[httpx.AsyncClient]
    model: str
    keys: KeySource
    provider: str = "openai"
    manner: Manner = field(default_factory=Manner)

    def body(self, call: ModelCall) -> bytes:
        """Nothing in it but the prompt: no tools, no ids of ours (D10)."""
        roles = ("user", "assistant")
        turns = [{"role": roles[at % 2], "content": text} for at, text in enumerate(call.turns)]
        asked: dict[str, Any] = {
            "model": self.model,
            self.manner.bound: call.feature.max_output_tokens,
            "messages": [{"role": "system", "content": call.system}, *turns],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": call.form.name, "schema": call.form.schema},
            },
        }
        if self.manner.temperature:
            asked["temperature"] = 0
        return orjson.dumps(asked)

    async def send(self, body: bytes) -> Completion:
        """One try."""
        try:
            answer: Any = await post(self.client, "chat/completions", body, self.keys, {})
        except RefusedByProvider as refused:
            if self.manner.learns(refused, orjson.loads(body)):
                raise refused.in_another_form() from None
            raise
        try:
            choice = answer["choices"][0]
            message, ended = choice["message"], choice.get("finish_reason")
            content, refusal = _text(message.get("content")), message.get("refusal")
            usage, model = answer.get("usage"), model_named(answer)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise InvalidAnswer("the envelope is not that of a chat completion") from None
        tokens = Tokens(
            input=count(usage, "prompt_tokens"),
            output=count(usage, "completion_tokens"),
            cached=count(usage, "prompt_tokens_details", "cached_tokens"),
            reasoning=count(usage, "completion_tokens_details", "reasoning_tokens"),
        )
        if refusal and not content:
            ended = "content_filter"
        if ended in ENDED:
            raise CallFailed(ENDED[ended], f"the answer ended with {ended}", status=200, tokens=tokens)
        if content is None:
            raise InvalidAnswer("the envelope has no content")
        return Completion(content, tokens, model)


def _text(content: Any) -> str | None:
    """Some endpoints give it in parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part["type"] == "text")
    return content if isinstance(content, str) else None
