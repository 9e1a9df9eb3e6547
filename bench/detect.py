"""What 1,000 events cost with triage and without it, at a price table.

Messages are those of the workplace development set where DW_SHARED_DATA has it, else what our own training templates
grow; triage was trained on both, so that its share on foreign chat will be higher. Requests are those that the
detector sends, answers those of the local extractor in the model's form; a token is taken as four bytes of UTF-8.
DW_DETECTOR_PRICES gives another price: its first model counts. `value` is micro-dollars per 1,000 events with triage,
`baseline` without it, `ratio` the first by the second: lower is better.
"""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path
from typing import Any, Final

import httpx

from dw_detector.adapters.http import Keys
from dw_detector.adapters.openai import OpenAiTarget
from dw_detector.answer import ITEMS
from dw_detector.detect import Question
from dw_detector.gate.calls import Caller, ModelCall
from dw_detector.prompts import data_of
from dw_learning.extract import extract
from dw_learning.extract.items import detection_items
from dw_learning.gate.features import LEARNING_DETECT
from dw_learning.gate.prices import PriceTable, Tokens
from dw_learning.prompts import LEARNING_DETECT as DETECT_PROMPT
from dw_learning.prompts import render
from dw_learning.prompts_shipped import SHIPPED
from dw_learning.triage import TriageInput, classify
from dw_runtime import Handle

TRAINING: Final = Path(__file__).parents[1] / "libs" / "learning" / "training"
PRICES: Final = "small=0.15/0.60/0.075"
BYTES_A_TOKEN: Final = 4
EVENTS: Final = 1_000
TARGET: Final = 0.6
TARGET_OF_TEMPLATES: Final = 0.8  # which mostly say what is worth learning
Message = tuple[str, str | None]


def run() -> dict[str, Any]:
    """One line; ok if triage takes away two fifths of the cost (a fifth on our templates)."""
    prices = PriceTable.parse(os.environ.get("DW_DETECTOR_PRICES") or PRICES, "bench")
    model = next(iter(prices.prices))
    messages, target = _messages()
    verdicts = classify([TriageInput("message_in", text, prev) for text, prev in messages])
    costs = [_cost(prices, model, text, prev) for text, prev in messages]
    all_of_them = sum(costs) * EVENTS / len(messages)
    kept = [cost for cost, verdict in zip(costs, verdicts, strict=True) if verdict.candidate]
    with_triage = sum(kept) * EVENTS / len(messages)
    return {
        "bench": "detect",
        "value": round(with_triage),
        "baseline": round(all_of_them),
        "ratio": round(with_triage / all_of_them, 3),
        "target": target,
        "ok": with_triage <= target * all_of_them,
        "n": len(messages),
        "skip_rate": round(1 - len(kept) / len(messages), 3),
        "price": f"{model}={prices.prices[model].input / 1e6:g}/{prices.prices[model].output / 1e6:g}",
        "usd_per_1000_events": round(with_triage / 1e6, 6),
        "usd_per_1000_events_without_triage": round(all_of_them / 1e6, 6),
    }


def _messages() -> tuple[list[Message], float]:
    sys.path.insert(0, str(TRAINING))
    try:
        from dataset import own, raw_rows
    finally:
        sys.path.pop(0)
    given: list[Message] = [(row["text"], row["prev"]) for row in raw_rows("workplace.dev.jsonl")]
    if given:
        return given, TARGET
    return [(row.text, row.prev) for row in own()], TARGET_OF_TEMPLATES


def _cost(prices: PriceTable, model: str, text: str, prev: str | None) -> int:
    question = Question(text, prev, "agent" if prev else None, "message_in")
    caller = Caller(uuid.UUID(int=0), uuid.UUID(int=0), uuid.UUID(int=0))
    prompt = SHIPPED[DETECT_PROMPT]
    turns = (render(prompt, data_of(question)),)
    call = ModelCall(LEARNING_DETECT, caller, prompt.system, turns, prompt.name, ITEMS)
    nobody: Handle[httpx.AsyncClient] = Handle("nobody")
    body = OpenAiTarget(nobody, model, Keys("Authorization", ())).body(call)
    items = detection_items(extract(text, prev, "agent" if prev else None, None), "message_in")
    answer = sum(len(item.model_dump_json()) for item in items) + len('{"items":[]}')
    cost = prices.cost(model, Tokens(len(body) // BYTES_A_TOKEN, answer // BYTES_A_TOKEN))
    assert cost is not None
    return cost
