"""The detector's kinds against labelled rows (R59)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dw_learning.extract import Extracted, extract
from dw_learning.normal import content_tokens

CLASSES = ("skip", "memory_fact", "memory_preference", "correction", "skill_procedure", "sensitive")
Extract = Callable[[str, str | None, str | None, str | None], Sequence[Extracted]]


def evaluate_detect(rows: Sequence[dict[str, Any]], extractor: Extract = extract) -> dict[str, Any]:
    """n, macro_f1, precision, recall and f1 per class, invented. A row's class is that of its weightiest item."""
    told: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wanted = Counter(str(row["cls"]) for row in rows)
    invented = 0
    for row in rows:
        prev = row.get("prev")
        items = extractor(row["text"], prev, "agent" if prev else None, row.get("role"))
        invented += any(invents(item.text, row["text"], prev) for item in items)
        cls = class_of(items)
        told[cls] += 1
        right[cls] += cls == row["cls"]
    precision = {cls: _share(right[cls], told[cls]) for cls in CLASSES}
    recall = {cls: _share(right[cls], wanted[cls]) for cls in CLASSES}
    f1 = {cls: _f1(precision[cls], recall[cls]) for cls in CLASSES}
    present = [cls for cls in CLASSES if wanted[cls]]
    return {
        "n": len(rows),
        "macro_f1": round(sum(f1[cls] for cls in present) / len(present), 4) if present else 0.0,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "invented": invented,
    }


def class_of(items: Sequence[Extracted]) -> str:
    """Sensitive before everything, then a procedure, then the first item; nothing is skip."""
    kinds = [item.kind for item in items]
    for kind in ("sensitive", "skill_procedure"):
        if kind in kinds:
            return kind
    return kinds[0] if kinds and kinds[0] != "retract" else "skip"


def invents(text: str, message: str, prev: str | None) -> bool:
    """Has the answer a content word that neither the message nor the answered message has?"""
    known = set(content_tokens(message)) | set(content_tokens(prev or ""))
    return any(token not in known for token in content_tokens(text))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0
