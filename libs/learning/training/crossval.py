"""Folds by meaning: rows that say the same thing stand in one fold, and a model is tested on meanings it never saw."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from grammar import Row


def folds(rows: Sequence[Row], count: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """(train, test) as places in `rows`."""
    groups = sorted({row.group for row in rows})
    random.Random(seed).shuffle(groups)
    fold_of = {group: number % count for number, group in enumerate(groups)}
    for fold in range(count):
        test = [i for i, row in enumerate(rows) if fold_of[row.group] == fold]
        train = [i for i, row in enumerate(rows) if fold_of[row.group] != fold]
        yield train, test


def operating_points(scores: Sequence[float], worthy: Sequence[bool]) -> list[tuple[float, float, float]]:
    """(threshold, recall, skip rate) at each score, from the loosest to the strictest."""
    pairs = sorted(zip(scores, worthy, strict=True))
    total = sum(worthy)
    points, skipped, lost = [], 0, 0
    for score, is_worthy in pairs:
        points.append((score, 1 - lost / total, skipped / len(pairs)))
        skipped += 1  # noqa: SIM113
        lost += is_worthy
    return points


def skip_at_recall(scores: Sequence[float], worthy: Sequence[bool], recall: float) -> tuple[float, float]:
    """(threshold, skip rate) of the strictest point that still has this recall."""
    good = [point for point in operating_points(scores, worthy) if point[1] >= recall]
    threshold, _, skip = good[-1]
    return threshold, skip
