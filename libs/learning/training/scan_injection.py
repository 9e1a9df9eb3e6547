"""Trains the linear part of the injection scan and writes `scan/weights.py`.

    python libs/learning/training/scan_injection.py [--check]

It learns from the cases in `tests/scan/cases` and from those development files that may ship in a model
(own, MIT and Apache rows; see NOTICE). `--check` cross-validates and writes nothing. Pure Python, some seconds.
"""

import argparse
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from dw_learning.scan.block import block
from dw_learning.scan.features import features
from dw_learning.scan.injection import all_marks, tag_marks
from dw_learning.scan.reading import read

LEARNING = Path(__file__).resolve().parents[1]
CASES = LEARNING / "tests" / "scan" / "cases"
TARGET = LEARNING / "src" / "dw_learning" / "scan" / "weights.py"
EPOCHS, RATE, DECAY, LEAST_SEEN = 30, 0.15, 0.02, 2


class Row(NamedTuple):
    group: str
    is_attack: bool
    features: frozenset[str]


def cases() -> Iterator[Row]:
    for path in sorted(CASES.glob("*.yaml")):
        if path.stem.startswith(("injections", "benign")):
            for by_language in yaml.safe_load(path.read_text(encoding="utf-8")).values():
                for texts in by_language.values():
                    for text in texts:
                        yield Row(path.stem, path.stem.startswith("injections"), _features(text))


def shared(data: Path) -> Iterator[Row]:
    for name, label in (("injection", "label"), ("workplace", "has_injection"), ("extra", "has_injection")):
        path = data / f"{name}.dev.jsonl"
        if not path.is_file():
            sys.stderr.write(f"not there, learned without: {path.name}\n")
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Row(name, bool(row[label]), _features(row["text"]))


def _features(text: str) -> frozenset[str]:
    folded = read(text).folded
    return frozenset(features(block(folded, 0, all_marks(folded, tag_marks(folded)))))


def train(rows: Sequence[Row], seed: int = 0) -> tuple[float, dict[str, float]]:
    """Logistic regression by stochastic gradient descent with weight decay."""
    seen = Counter(feature for row in rows for feature in row.features)
    known = {feature for feature, count in seen.items() if count >= LEAST_SEEN}
    order = [(row.is_attack, [f for f in sorted(row.features) if f in known]) for row in rows]
    weights: defaultdict[str, float] = defaultdict(float)
    bias = -1.0
    rng = random.Random(seed)
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        rate = RATE / (1 + 0.15 * epoch)
        for is_attack, present in order:
            score = bias + sum(weights[f] for f in present)
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, score)))) - is_attack
            bias -= rate * error
            for feature in present:
                weights[feature] -= rate * (error + DECAY * weights[feature])
    return bias, dict(weights)


def check(rows: Sequence[Row], folds: int = 5) -> None:
    """Recall and false positives on rows that were not learned from, by group."""
    shuffled = list(rows)
    random.Random(1).shuffle(shuffled)
    scores: list[tuple[Row, float]] = []
    for fold in range(folds):
        bias, weights = train([row for i, row in enumerate(shuffled) if i % folds != fold])
        held = [row for i, row in enumerate(shuffled) if i % folds == fold]
        scores += ((row, bias + sum(weights.get(f, 0.0) for f in row.features)) for row in held)
    for group in sorted({row.group for row in rows}):
        shares = []
        for threshold in (0.0, 0.5, 1.0, 1.5, 2.0):
            for wanted in (True, False):
                flags = [
                    score >= threshold
                    for row, score in scores
                    if row.group == group and row.is_attack is wanted
                ]
                shares.append(f"{sum(flags) / len(flags):.3f}" if flags else "-")
        sys.stdout.write(f"{group:18} {' '.join(shares)}\n")


def write(bias: float, weights: dict[str, float]) -> None:
    """As a module: nothing has to be opened when it is imported."""
    kept = {feature: weight for feature, weight in sorted(weights.items()) if abs(weight) >= 0.05}
    pairs = [f"{feature} {weight:.2f}" for feature, weight in kept.items()]
    lines = ["    " + "  ".join(pairs[i : i + 6]) for i in range(0, len(pairs), 6)]
    TARGET.write_text(
        '"""Weights of the learned part of the injection scan; written by `training/scan_injection.py`."""\n\n'
        f"BIAS = {bias:.3f}\n\n"
        '_TABLE = """\n' + "\n".join(lines) + '\n"""\n\n'
        "_CELLS = _TABLE.split()\n"
        "WEIGHTS: dict[str, float] = dict(zip(_CELLS[::2], map(float, _CELLS[1::2]), strict=True))\n",
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=LEARNING.parents[2] / "shared" / "data")
    parser.add_argument("--check", action="store_true", help="cross-validate and write nothing")
    arguments = parser.parse_args()
    rows = [*cases(), *shared(arguments.data)]
    if arguments.check:
        check(rows)
    else:
        write(*train(rows))


if __name__ == "__main__":
    main()
