"""Any OpenAI-compatible endpoint, with a structured answer: checked, one repair try, then a dead letter (D9)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
from pydantic import Field, ValidationError

from dw_contracts.events.detections import MAX_ITEMS, DetectionItem
from dw_contracts.model import Contract
from dw_detector.detect import Answer, InvalidAnswer, Question
from dw_detector.prompt import PROMPT_VERSION, SYSTEM, render
from dw_detector.settings import Settings
from dw_runtime import Handle, Transient

MAX_ANSWER_BYTES = 256 * 1024


class _Answer(Contract):
    items: tuple[DetectionItem, ...] = Field(max_length=MAX_ITEMS)


@asynccontextmanager
async def open_client(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a timeout and as many connections as calls may be in flight."""
    async with httpx.AsyncClient(
        base_url=settings.base_url.rstrip("/") + "/",
        headers={"Authorization": f"Bearer {settings.api_key.get_secret_value()}"},
        timeout=settings.timeout_seconds,
        limits=httpx.Limits(max_connections=settings.concurrency),
    ) as client:
        yield client


class OpenAiProvider:
    """POST chat/completions with response_format json_schema."""

    def __init__(self, client: Handle[httpx.AsyncClient], model: str) -> None:
        self._client = client
        self._model = model

    async def detect(self, question: Question) -> Answer:
        """Ask; if the answer does not fit, say so once and ask again."""
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": render(question)}]
        content = await self._complete(messages)
        try:
            items = _read(content)
        except InvalidAnswer as error:
            repair = [
                *messages,
                {"role": "assistant", "content": content[:4_000]},
                {
                    "role": "user",
                    "content": f"That does not fit the schema ({error}). Answer with the JSON alone.",
                },
            ]
            items = _read(await self._complete(repair))
        return Answer(items=items, provider="openai", model=self._model, prompt_version=PROMPT_VERSION)

    async def _complete(self, messages: list[dict[str, str]]) -> str:
        body = {
            "model": self._model,
            "temperature": 0,
            "messages": messages,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "learning_items", "schema": _Answer.model_json_schema()},
            },
        }
        try:
            response = await self._client().post("chat/completions", json=body)
        except httpx.HTTPError as error:
            raise Transient(f"the provider cannot be reached: {type(error).__name__}") from error
        if response.status_code in (408, 409, 429) or response.status_code >= 500:
            raise Transient(f"the provider answered {response.status_code}")
        if response.status_code != 200:
            raise Transient(f"the provider refuses us with {response.status_code}: an operator must look")
        return _content(response)


def _content(response: httpx.Response) -> str:
    if len(response.content) > MAX_ANSWER_BYTES:
        raise InvalidAnswer("the answer is too long")
    try:
        body: Any = orjson.loads(response.content)
        return str(body["choices"][0]["message"]["content"])
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError):
        raise InvalidAnswer("the envelope is not that of a chat completion") from None


def _read(content: str) -> tuple[DetectionItem, ...]:
    try:
        return _Answer.model_validate_json(content).items
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        raise InvalidAnswer(f"{where}: {first['type']}") from None
