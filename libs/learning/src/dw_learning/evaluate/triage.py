"""Triage against labelled rows (R51)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from dw_learning.triage import TriageInput, TriageVerdict, classify

BATCH = 256
PASSES = 3


def evaluate_triage(
    rows: Sequence[dict[str, Any]],
    clock: Callable[[], float] = time.process_time,
    threshold: float | None = None,
) -> dict[str, Any]:
    """n, recall, precision, skip_rate, us_per_message. Bots without a grant are skipped as the service does (C88). The time
    is that of the processor in a service at work: the quickest of three passes in batches of 256, the model being read."""
    inputs = [as_input(row) for row in rows]
    spent = math.inf
    verdicts: list[TriageVerdict] = []
    for _ in range(PASSES):
        began = clock()
        verdicts = [
            verdict
            for at in range(0, len(inputs), BATCH)
            for verdict in classify(inputs[at : at + BATCH], threshold)
        ]
        spent = min(spent, clock() - began)
    kept = [
        verdict.candidate and one.sender_kind == "human"
        for verdict, one in zip(verdicts, inputs, strict=True)
    ]
    worthy = [row["triage"] == "candidate" for row in rows]
    hits = sum(k and w for k, w in zip(kept, worthy, strict=True))
    return {
        "n": len(rows),
        "recall": _share(hits, sum(worthy)),
        "precision": _share(hits, sum(kept)),
        "skip_rate": _share(len(rows) - sum(kept), len(rows)),
        "us_per_message": round(spent * 1e6 / len(rows), 1) if rows else 0.0,
    }


def as_input(row: dict[str, Any]) -> TriageInput:
    """A labelled row as the event that it would have been."""
    prev = row.get("prev")
    return TriageInput(
        kind=row.get("kind", "message_in"),
        text=row["text"],
        prev=prev,
        prev_author="agent" if prev else None,
        sender_kind="bot" if row.get("sender") == "bot" else "human",
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
