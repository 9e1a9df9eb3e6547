"""dw eval history: labelled queries against the real search, on a PostgreSQL that lives as long as the command."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dw_cli.history_world import World, history_world
from dw_learning.history.query import search_terms
from dw_store.history_search import Bounds, FoundMessage, search

BOUNDS = Bounds(hits=10, around=4)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one query found: the labels of each hit's message with its neighbours, in order, and which hits are right."""

    lang: str
    evidence: frozenset[str]
    hits: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    milliseconds: float


async def evaluate_history(
    docs: Sequence[dict[str, Any]], queries: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The whole measurement."""
    threads = {str(doc["id"]): str(doc["thread"]) for doc in docs if doc.get("thread")}
    async with history_world(docs) as world:
        for query in queries[:3]:  # caches and plans, as a service that has run for a minute has them
            await _ask(world, query, threads)
        answers = [await _ask(world, query, threads) for query in queries]
    langs = sorted({answer.lang for answer in answers})
    return figures(answers) | {
        "languages": {lang: figures([a for a in answers if a.lang == lang]) for lang in langs}
    }


async def _ask(world: World, query: dict[str, Any], threads: dict[str, str]) -> Answer:
    place = world.places[str(query.get("role", ""))]
    began = time.perf_counter()
    terms = search_terms([str(query["query"])], place.role_agent_id)
    async with world.database.transaction([world.org_id]) as tx:
        found = await search(tx, world.org_id, place, terms, BOUNDS)
    took = (time.perf_counter() - began) * 1000
    hits = tuple(_labels(world, hit) for hit in found)
    evidence = frozenset(map(str, query.get("evidence_ids", ())))
    thread = str(query.get("thread", ""))
    right = tuple(threads.get(labels[0]) == thread or labels[0] in evidence for labels in hits)
    return Answer(str(query.get("lang", "")), evidence, hits, right, took)


def _labels(world: World, hit: FoundMessage) -> tuple[str, ...]:
    return tuple(world.ids[event_id] for event_id in (hit.event_id, *(near.event_id for near in hit.around)))


def figures(answers: Sequence[Answer]) -> dict[str, Any]:
    """Shares and times over some queries."""
    n = len(answers)
    times = sorted(answer.milliseconds for answer in answers)
    return {
        "n": n,
        "thread_at_5": _mean([float(any(answer.right[:5])) for answer in answers]),
        "recall_at_5": _mean([_recall(answer, 5) for answer in answers]),
        "recall_at_10": _mean([_recall(answer, 10) for answer in answers]),
        "mrr": _mean([_reciprocal(answer) for answer in answers]),
        "p95_ms": round(times[max(0, -(-n * 95 // 100) - 1)], 2) if times else 0.0,
    }


def _recall(answer: Answer, hits: int) -> float:
    shown = {label for labels in answer.hits[:hits] for label in labels}
    return len(shown & answer.evidence) / len(answer.evidence) if answer.evidence else 0.0


def _reciprocal(answer: Answer) -> float:
    return next((1 / place for place, right in enumerate(answer.right, start=1) if right), 0.0)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
