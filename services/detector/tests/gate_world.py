"""A gate over a real PostgreSQL, with models of ours behind it."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
import psycopg
from prometheus_client import CollectorRegistry

from dw_detector.adapters.anthropic import AnthropicTarget
from dw_detector.adapters.http import Keys, KeySource
from dw_detector.adapters.openai import OpenAiTarget
from dw_detector.detect import Question
from dw_detector.drafting import SkillDrafter
from dw_detector.gate.access import AccessGate
from dw_detector.gate.calls import Caller, Target, Targets
from dw_detector.gate.observe import Observer
from dw_detector.gate.slots import FairSlots
from dw_detector.model_provider import ModelProvider
from dw_detector.prompts import PromptBook
from dw_learning.gate.breaker import Breaker
from dw_learning.gate.prices import PriceTable
from dw_runtime import Handle
from dw_runtime.telemetry import Telemetry
from dw_store.database import Database
from dw_store.gate import Budget
from dw_testkit.orgs import SmallOrg

AT = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
FACT = "The bike room is called Velo."
GOOD = {
    "kind": "memory_fact", "text": FACT, "span": [0, 29], "key": "bike-room",
    "risk_hint": "low", "confidence": 0.85,
}  # fmt: skip
Answerer = Callable[[dict[str, Any], httpx.Request], Any]


def items(*rows: dict[str, Any]) -> str:
    return orjson.dumps({"items": rows}).decode()


def openai_answer(content: str, tokens: tuple[int, int] | None = (100, 20), model: str = "small-0") -> Any:
    usage = {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}} if tokens else {}
    return {"model": model, "choices": [{"message": {"content": content}}], **usage}


@dataclass
class World:
    """One gate. `answers` are given one after the other, the last one for ever: a status, a body, or an exception."""

    org: SmallOrg
    admin_dsn: str
    database: Handle[Database]
    answers: list[Any]
    models: tuple[str, ...] = ("small", "big")
    keys: KeySource = field(default_factory=lambda: Keys.parse("", "Authorization"))
    budget: Budget = field(default_factory=lambda: Budget(None, None))
    timeout_seconds: float = 5.0
    anthropic: bool = False
    long: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    url: str = ""  # of a server that answers instead
    opt_in: str = ""
    stuck: str = ""  # a text over which the model hangs
    telemetry: Telemetry = field(default_factory=lambda: Telemetry("detector"))

    def __post_init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[httpx.Headers] = []
        self.waited: list[float] = []
        self.now = 0.0
        self.registry = CollectorRegistry()
        self.left: Iterator[Any] = itertools.chain(self.answers[:-1], itertools.repeat(self.answers[-1]))
        client: Handle[httpx.AsyncClient] = Handle("client")
        self.client = client
        transport = None if self.url else httpx.MockTransport(self._answer)
        client.set(httpx.AsyncClient(transport=transport, base_url=self.url or "http://model/v1/"))

        def targets(models: tuple[str, ...]) -> tuple[Target, ...]:
            kind = AnthropicTarget if self.anthropic else OpenAiTarget
            return tuple(kind(client, model, self.keys) for model in models)

        async def sleep(seconds: float) -> None:
            self.waited.append(seconds)
            self.now += seconds
            await asyncio.sleep(0)

        self.gate = AccessGate(
            database=self.database,
            targets=Targets(targets(self.models), targets(self.long), targets(self.policy)),
            prices=PriceTable.parse("small=1/4/0.5,big=10/40", "2026-11"),
            budget=self.budget,
            slots=FairSlots(8),
            observer=Observer(self.registry, self.telemetry, self.opt_in),
            clock=lambda: AT,
            chance=lambda: 0.5,
            timeout_seconds=self.timeout_seconds,
            breaker=Breaker(most_failures=3, cooldown_seconds=30.0),
            monotonic=lambda: self.now,
            sleep=sleep,
        )
        self.prompts = PromptBook(self.database, seconds=0.0)
        self.provider = ModelProvider(self.gate, self.prompts)
        self.drafter = SkillDrafter(self.gate, self.prompts)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(orjson.loads(request.content))
        self.headers.append(request.headers)
        if self.stuck and self.stuck.encode() in request.content:
            await asyncio.sleep(60)
        answer = next(self.left)
        if callable(answer):
            answer = await answer()
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, int):
            return httpx.Response(answer, json={"error": {"code": "no"}})
        if isinstance(answer, tuple):
            return httpx.Response(answer[0], json={"error": {"code": answer[1]}})
        return httpx.Response(200, json=answer)

    def question(self, text: str = FACT, **fields: Any) -> Question:
        caller = Caller(
            self.org.org_id,
            self.org.agent_id,
            fields.pop("decision_id", None) or uuid.uuid4(),
            "slack",
            "",
            self.org.account,
            fields.pop("traceparent", None),
        )
        return Question(text, fields.get("reply_text"), fields.get("reply_author"), "message_in", caller)

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin_dsn) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def ledger(self) -> list[tuple[Any, ...]]:
        """Model, status, error, cost, estimated and attempt of each call, as they were made."""
        return self.query(
            "SELECT request_model, status, error_type, cost_micro_usd, estimated, attempt FROM dw_ai_usage"
            " ORDER BY attempt, request_model DESC, settled_at"
        )

    def held(self) -> tuple[Any, ...]:
        (row,) = self.query(
            "SELECT reserved_micro_usd, in_flight FROM dw_ai_counters WHERE scope = 'org' AND org_id = %s",
            self.org.org_id,
        )
        return row

    def metric(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)
