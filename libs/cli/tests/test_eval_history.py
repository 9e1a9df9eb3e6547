"""dw eval history on a small set of its own: the real search, on a PostgreSQL that the command starts and stops."""

from __future__ import annotations

from typing import Any

import pytest

from dw_cli.eval_history import Answer, evaluate_history, figures

pytestmark = pytest.mark.integration


def doc(ref: str, text: str, thread: str | None = None, role: str = "it") -> dict[str, Any]:
    """A labelled message."""
    return {"id": ref, "text": text, "thread": thread, "role": role, "speaker": "minh", "lang": "en"}


def test_figures_count_the_first_five_and_the_first_ten_hits() -> None:
    wrong, right = ("x",), ("a", "b")
    answers = [
        Answer("en", frozenset("ab"), (right,), (True,), 2.0),
        Answer("de", frozenset("ab"), (*[wrong] * 6, right), (*[False] * 6, True), 4.0),
    ]
    assert figures(answers) == {
        "n": 2,
        "thread_at_5": 0.5,
        "recall_at_5": 0.5,
        "recall_at_10": 1.0,
        "mrr": 0.5714,
        "p95_ms": 4.0,
    }
    assert figures([])["thread_at_5"] == 0.0


async def test_each_query_is_asked_of_its_own_roles_agent() -> None:
    docs = [
        doc("a1", "the coffee machine leaks water", "A"),
        doc("a2", "new seal, dry since", "A"),
        doc("b1", "the coffee machine leaks water", "B", role="hr"),
        *(doc(f"n{number}", f"lunch menu {number}") for number in range(20)),
    ]
    asked = {"query": "Kaffeemaschine coffee leak", "lang": "de", "role": "it", "thread": "A"}
    result = await evaluate_history(docs, [asked | {"evidence_ids": ["a1", "a2"]}])
    assert (result["n"], result["thread_at_5"], result["recall_at_5"], result["mrr"]) == (1, 1.0, 1.0, 1.0)
    assert result["languages"]["de"]["n"] == 1
    other = await evaluate_history(docs, [asked | {"role": "hr", "evidence_ids": ["a1"]}])
    assert other["thread_at_5"] == 0.0
