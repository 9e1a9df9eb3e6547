"""Measure triage, the extractor, risk and the whole way of a message on the development sets, by models that never saw the
meanings that they are asked about: five folds by meaning, three seeds, the mean.

    make measure
    python libs/learning/training/measure.py [--strangers] [--seeds N] [--jobs N]

Prints one JSON line a measure; progress goes to the error output. A fold is one training of all models and costs about a
minute of one core; folds run side by side. With --strangers the models see no given row at all, only our own: the better
guess at what another writer's channel brings.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from crossval import folds, operating_points, skip_at_recall
from dataset import FILES, given, own, raw_rows
from folding import counted, margin_of, totals, trained
from grammar import Row
from models import Seen, see

from dw_learning.evaluate.detect import evaluate_detect
from dw_learning.extract import Extracted

FOLDS = 5
RECALLS = (0.99, 0.97, 0.95, 0.9, 0.8)
THRESHOLDS = (-3.0, -2.0, -1.5, -1.25, -1.0, -0.5, 0.0, 0.5, 1.0)
Task = tuple[int, int | None]  # seed, fold; no fold: strangers


@dataclass(frozen=True, slots=True)
class Data:
    """What every fold is cut from. `file_of` and `raws` stand beside `rows`, which are the given ones without bots."""

    ours: list[Row]
    own_seen: list[Seen]
    rows: list[Row]
    seen: list[Seen]
    raws: list[dict[str, Any]]
    file_of: list[str]
    bots: dict[str, list[dict[str, Any]]]


@dataclass(slots=True)
class Told:
    """What models said of rows they never saw, by the row's place; and counts by file."""

    seed: int
    margins: dict[int, float] = field(default_factory=dict)
    extracted: dict[int, tuple[Extracted, ...]] = field(default_factory=dict)
    parts: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


def load() -> Data:
    """All rows with their features."""
    ours = own()
    sets = {file: [raw for raw in raw_rows(file) if raw["sender"] != "bot"] for file in FILES}
    rows = [row for file in FILES for row in given(file)]
    return Data(
        ours=ours,
        own_seen=see(ours),
        rows=rows,
        seen=see(rows),
        raws=[raw for file in FILES for raw in sets[file]],
        file_of=[file for file in FILES for _ in sets[file]],
        bots={file: [raw for raw in raw_rows(file) if raw["sender"] == "bot"] for file in FILES},
    )


def one_fold(data: Data, task: Task) -> Told:
    """Train without the fold and ask about it. Bots, which reach no model, are counted with the first."""
    seed, fold = task
    everywhere = list(range(len(data.rows)))
    train, test = ([], everywhere) if fold is None else list(folds(data.rows, FOLDS, seed))[fold]
    models = trained([data.rows[i] for i in train] + data.ours, [data.seen[i] for i in train] + data.own_seen)
    told = Told(seed)
    for i in test:
        raw = data.raws[i]
        prev = raw.get("prev")
        told.margins[i] = margin_of(models, raw)
        told.extracted[i] = models.extract(raw["text"], prev, "agent" if prev else None, None)
    for file in FILES:
        chosen = [data.raws[i] for i in test if data.file_of[i] == file]
        told.parts[file] = [counted(models, [*chosen, *(() if fold else data.bots[file])])]
    return told


_data: list[Data] = []  # of a worker process


def _begin() -> None:
    _data.append(load())
    gc.freeze()  # nothing of it goes away: looking through it again and again cost a third of the time


def _work(task: Task) -> Told:
    return one_fold(_data[0], task)


def run(tasks: Sequence[Task], jobs: int) -> list[Told]:
    """All folds, joined by seed."""
    joined: dict[int, Told] = {}
    began = time.monotonic()
    with ProcessPoolExecutor(max_workers=jobs, initializer=_begin) as pool:
        for number, done in enumerate(as_completed([pool.submit(_work, task) for task in tasks]), start=1):
            part = done.result()
            whole = joined.setdefault(part.seed, Told(part.seed))
            whole.margins |= part.margins
            whole.extracted |= part.extracted
            for file, counts in part.parts.items():
                whole.parts.setdefault(file, []).extend(counts)
            sys.stderr.write(f"fold {number} of {len(tasks)}, {time.monotonic() - began:.0f} s\n")
    return [joined[seed] for seed in sorted(joined)]


def whole_way(data: Data, told: Sequence[Told], file: str) -> dict[str, Any]:
    """Pipeline, triage at the shipped point, risk: means of the seeds."""
    raws = [raw for raw, of in zip(data.raws, data.file_of, strict=True) if of == file] + data.bots[file]
    runs = [totals(one.parts[file], raws) for one in told]
    return {name: round(fmean(run[name] for run in runs), 4) for name in runs[0]}


def detect(data: Data, told: Sequence[Told], file: str) -> dict[str, Any]:
    """The extractor alone, against `cls`."""
    places = [i for i, of in enumerate(data.file_of) if of == file]
    results = []
    for one in told:
        answers = iter([one.extracted[i] for i in places])
        asked = evaluate_detect([data.raws[i] for i in places], lambda *_, given=answers: next(given))
        results.append(asked)
    f1 = {name: round(fmean(result["f1"][name] for result in results), 3) for name in results[0]["f1"]}
    return {
        "n": len(places),
        "macro_f1": round(fmean(result["macro_f1"] for result in results), 3),
        "f1": f1,
        "invented": max(result["invented"] for result in results),
    }


def curve(data: Data, told: Sequence[Told], file: str) -> Iterator[dict[str, Any]]:
    """Triage at other operating points, and a model that knows the length of a message and nothing else."""
    places = [i for i, of in enumerate(data.file_of) if of == file]
    lasting = [data.rows[i].cls != "skip" for i in places]
    bots = len(data.bots[file])
    runs = [[one.margins[i] for i in places] for one in told]
    yield {"measure": "triage", **_at(runs, lasting, bots)}
    for limit in THRESHOLDS:
        points = [_point(scores, lasting, limit, bots) for scores in runs]
        recall, skip = (round(fmean(values), 3) for values in zip(*points, strict=True))
        yield {"measure": "triage", "threshold": limit, "recall": recall, "skip_rate": skip}
    lengths = [float(len(data.rows[i].text)) for i in places]
    yield {"measure": "length only", **_at([lengths], lasting, bots)}


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


def main() -> int:
    """The lines."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--strangers", action="store_true")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = options.parse_args()
    data = load()
    if not data.rows:
        sys.stdout.write("the development sets are missing: nothing to measure\n")
        return 1
    tasks: list[Task] = [(seed, fold) for seed in range(1, asked.seeds + 1) for fold in range(FOLDS)]
    told = run([(1, None)] if asked.strangers else tasks, asked.jobs)
    for file in FILES:
        about = {"set": file, "seeds": len(told), "strangers": asked.strangers}
        lines = [
            {"measure": "whole way", **whole_way(data, told, file)},
            {"measure": "detect", **detect(data, told, file)},
            *curve(data, told, file),
        ]
        for line in lines:
            sys.stdout.write(json.dumps(about | line, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
