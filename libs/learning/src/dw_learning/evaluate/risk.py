"""Risk classes against labelled rows (C58)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dw_learning.risk import RiskVerdict, classify_risk

CLASSES = ("low", "high", "sensitive")


def evaluate_risk(
    rows: Sequence[dict[str, Any]], classifier: Callable[[str, str], RiskVerdict] = classify_risk
) -> dict[str, Any]:
    """n, accuracy, recall by class, unsafe: rows that are high or sensitive and are called low. Worthy rows only.

    The classifier is told the neutral kind for every row, so that no label helps it.
    """
    worthy = [row for row in rows if row.get("cls", "memory_fact") != "skip"]
    said = [
        "high" if (risk := classifier(row["text"], "memory_fact").risk) == "medium" else risk
        for row in worthy
    ]
    wanted = [str(row["risk"]) for row in worthy]
    totals = Counter(wanted)
    right: Counter[str] = Counter(risk for risk, told in zip(wanted, said, strict=True) if risk == told)
    return {
        "n": len(worthy),
        "accuracy": _share(right.total(), len(worthy)),
        "recall": {risk: _share(right[risk], totals[risk]) for risk in CLASSES},
        "unsafe": sum(
            told == "low" and risk in ("high", "sensitive") for risk, told in zip(wanted, said, strict=True)
        ),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
