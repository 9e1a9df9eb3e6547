"""Measure all three models on the development sets, on meanings they never saw: folds by meaning, three seeds.

    python libs/learning/training/measure.py [triage|detect|risk …]

Prints one JSON line a measure: the mean of the seeds, and for triage the curve and the length-only model beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from crossval import folds, operating_points, skip_at_recall
from dataset import FILES, given, own, raw_rows
from grammar import Row
from models import CLASSES, RISKS, Seen, class_model, framed, see, triage_model
from train_classes import GIVEN_WEIGHT as CLASS_WEIGHT
from train_classes import SETTINGS as CLASS_SETTINGS
from train_classes import worthy
from train_triage import AT_LEAST, GIVEN_WEIGHT, SETTINGS

from dw_learning.evaluate.detect import evaluate_detect
from dw_learning.evaluate.risk import evaluate_risk
from dw_learning.extract import Extracted
from dw_learning.extract.extract import extract_by
from dw_learning.risk.classify import RiskVerdict, classify_by
from dw_learning.triage.classify import core_margin
from dw_learning.triage.score import Score
from dw_learning.words.linear import Classes

SEEDS = (1, 2, 3)
FOLDS = 5
RECALLS = (0.99, 0.97, 0.95, 0.9, 0.8)
THRESHOLDS = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)


def triage(rows: list[Row], counted: int, bots: int) -> Iterator[dict[str, Any]]:
    """`counted`: how many rows, from the first, are scored; the rest only train."""
    seen, ours = see(rows), see(own())
    lasting = [row.cls != "skip" for row in rows[:counted]]
    runs = [_triage_scores(rows, seen, ours, seed)[:counted] for seed in SEEDS]
    yield {"measure": "triage", "rows": counted + bots, **_at(runs, lasting, bots)}
    for limit in THRESHOLDS:
        points = [_point(scores, lasting, limit, bots) for scores in runs]
        yield {
            "threshold": limit,
            "recall": round(fmean(one for one, _ in points), 3),
            "skip_rate": round(fmean(two for _, two in points), 3),
        }
    lengths = [float(len(row.text)) for row in rows[:counted]]
    yield {"measure": "length only", **_at([lengths], lasting, bots)}


def _triage_scores(rows: Sequence[Row], seen: list[Seen], ours: list[Seen], seed: int) -> list[float]:
    scores = [0.0] * len(rows)
    for train, test in folds(rows, FOLDS, seed):
        model = triage_model([seen[i] for i in train] + ours, SETTINGS, GIVEN_WEIGHT, AT_LEAST, "measured")
        score = Score(model)
        for i in test:
            scores[i] = max(model.margin(seen[i].sparse, seen[i].dense), core_margin(score, rows[i].text))
    return scores


def _at(runs: Sequence[Sequence[float]], lasting: Sequence[bool], bots: int) -> dict[str, Any]:
    whole = len(lasting) + bots
    found: dict[str, Any] = {}
    for recall in RECALLS:
        rates = [(skip_at_recall(run, lasting, recall)[1] * len(lasting) + bots) / whole for run in runs]
        found[f"skip_at_recall_{recall}"] = round(fmean(rates), 3)
    return found | {"points": len(operating_points(runs[0], lasting))}


def _point(scores: Sequence[float], lasting: Sequence[bool], limit: float, bots: int) -> tuple[float, float]:
    kept = [score >= limit for score in scores]
    recall = sum(k and w for k, w in zip(kept, lasting, strict=True)) / sum(lasting)
    return recall, (kept.count(False) + bots) / (len(scores) + bots)


def detect(rows: list[Row], raws: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The extractor with models that never saw the meaning; its rules stay."""
    seen, ours = see(rows), see(own())
    results = []
    for seed in SEEDS:
        answers: dict[tuple[str, str | None], tuple[Extracted, ...]] = {}
        for train, test in folds(rows, FOLDS, seed):
            model = _classes(framed([seen[i] for i in train] + ours))
            for i in test:
                answers[rows[i].text, rows[i].prev] = extract_by(
                    model, rows[i].text, rows[i].prev, "agent" if rows[i].prev else None
                )
        results.append(evaluate_detect(raws, _Told(answers)))
    yield {"measure": "detect", "n": len(raws), **_mean(results)}


@dataclass(frozen=True, slots=True)
class _Told:
    """Answers that were made beforehand, as an extractor."""

    answers: dict[tuple[str, str | None], tuple[Extracted, ...]]

    def __call__(
        self, text: str, prev: str | None, prev_author: str | None, role: str | None
    ) -> tuple[Extracted, ...]:
        return self.answers[text, prev]


@dataclass(frozen=True, slots=True)
class _ToldRisk:
    """Verdicts that were made beforehand, as a classifier."""

    verdicts: dict[str, RiskVerdict]

    def __call__(self, text: str, kind: str) -> RiskVerdict:
        return self.verdicts[text]


def _classes(seen: list[Seen]) -> Classes:
    labels = [one.row.cls for one in seen]
    return class_model(seen, CLASSES, labels, CLASS_SETTINGS, CLASS_WEIGHT, 2, "measured")


def _mean(results: list[dict[str, Any]]) -> dict[str, Any]:
    f1 = {name: round(fmean(result["f1"][name] for result in results), 3) for name in results[0]["f1"]}
    invented = max(result["invented"] for result in results)
    return {"macro_f1": round(fmean(r["macro_f1"] for r in results), 3), "f1": f1, "invented": invented}


def risk(rows: list[Row], raws: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Risk with models that never saw the meaning; its signs stay."""
    lasting, ours = worthy(rows), worthy(own())
    seen, own_seen = see(lasting, with_prev=False), see(ours, with_prev=False)
    results = []
    for seed in SEEDS:
        told: dict[str, RiskVerdict] = {}
        for train, test in folds(lasting, FOLDS, seed):
            trained = [seen[i] for i in train] + own_seen
            labels = [one.row.risk for one in trained]
            model = class_model(trained, RISKS, labels, CLASS_SETTINGS, CLASS_WEIGHT, 2, "measured")
            told.update({lasting[i].text: classify_by(model, lasting[i].text, "memory_fact") for i in test})
        results.append(evaluate_risk(raws, _ToldRisk(told)))
    yield {
        "measure": "risk",
        "n": results[0]["n"],
        "accuracy": round(fmean(result["accuracy"] for result in results), 3),
        "unsafe": round(fmean(result["unsafe"] for result in results), 1),
        "recall": results[0]["recall"],
    }


def main() -> int:
    """All measures, or those that are named."""
    asked = sys.argv[1:] or ["triage", "detect", "risk"]
    raws = [raw for file in FILES for raw in raw_rows(file)]
    if not raws:
        sys.stdout.write("the development sets are missing: nothing to measure\n")
        return 1
    human = [raw for raw in raws if raw["sender"] != "bot"]
    workplace = given(FILES[0])
    rows = workplace + given(FILES[1])
    bots = len(raw_rows(FILES[0])) - len(workplace)
    runs = {
        "triage": lambda: triage(rows, len(workplace), bots),
        "detect": lambda: detect(rows, human[: len(workplace)]),
        "risk": lambda: risk(rows, human),
    }
    for name in asked:
        for line in runs[name]():
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
