"""Trains the model of `scan/wording.py` and writes `scan/wording.json.gz`.

    python libs/learning/training/scan_wording.py [--check]

It learns from the cases in `tests/scan/cases`, from the templates in `scan_rows`, from the harmless rows that triage
learns from, and from those development files that may ship in a model (own, MIT and Apache rows; see NOTICE).
`--check` trains on four fifths and says what the rest gives. Pure Python, about a minute.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from attack_rows import grown
from dataset import own, raw_rows
from models import write_binary
from sgd import Example, Settings, fit_binary

from dw_learning.scan.reading import read
from dw_learning.scan.wording import features
from dw_learning.words.linear import Binary

LEARNING = Path(__file__).resolve().parents[1]
CASES = LEARNING / "tests" / "scan" / "cases"
TARGET = LEARNING / "src" / "dw_learning" / "scan" / "wording.json.gz"
EACH = 8
SETTINGS = Settings(epochs=4, rate=0.1, shrink=1e-4, seed=3)
AT_LEAST = 2
COMMON = 0.03
"""Words and pieces in more rows than this tell the kind of text and not what it wants: they are left out."""
THRESHOLD = 0.4
SMALLEST = 0.04
FILES = (("injection", "label"), ("workplace", "has_injection"), ("extra", "has_injection"))


class Row(NamedTuple):
    """`weight` is how much an error on it counts; rows of one `group` say the same in other words."""

    group: str
    is_attack: bool
    text: str
    weight: float


def rows() -> Iterator[Row]:
    """All there is to learn from."""
    for path in sorted(CASES.glob("*.yaml")):
        if path.stem.startswith(("injections", "benign")):
            texts = _texts(path)
            yield from (
                Row(f"{path.stem}:{i}", path.stem.startswith("injections"), text, 3.0)
                for i, text in enumerate(texts)
            )
    for name in ("rules_for", "rules_against"):
        by_rule = yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))
        for rule, texts in by_rule.items():
            yield from (Row(f"{name}:{rule}", name == "rules_for", str(text), 3.0) for text in _flat(texts))
    for one in grown(EACH):
        yield Row(one.group, one.is_attack, one.text, 0.6)
    for row in own(2):
        if row.cls != "sensitive":
            yield Row(row.group, False, row.text, 1.0)
    for name, label in FILES:
        for raw in raw_rows(f"{name}.dev.jsonl"):
            yield Row(str(raw["id"]), bool(raw[label]), str(raw["text"]), 3.0)


def _texts(path: Path) -> list[str]:
    by_category = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [text for languages in by_category.values() for texts in languages.values() for text in texts]


def _flat(texts: object) -> Iterator[str]:
    if isinstance(texts, dict):
        for inner in texts.values():
            yield from _flat(inner)
    elif isinstance(texts, list):
        yield from map(str, texts)


def train(given: Sequence[Row], version: str = "wording-1") -> Binary:
    """Features that more than one group has and that not every text has, weighed by AdaGrad."""
    seen = [(row, features(read(row.text).folded)) for row in given]
    groups: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for row, present in seen:
        counts.update(present.keys())
        for name in present:
            known = groups.setdefault(name, set())
            if len(known) < AT_LEAST:
                known.add(row.group)
    most = COMMON * len(given)
    names = sorted(
        name
        for name, known in groups.items()
        if len(known) >= AT_LEAST and (" " in name or counts[name] <= most)
    )
    index = {name: number for number, name in enumerate(names)}
    examples = [
        Example(
            tuple((index[name], value) for name, value in present.items() if name in index),
            int(row.is_attack),
            row.weight,
            row.group,
        )
        for row, present in seen
    ]
    weights, bias = fit_binary(examples, len(names), SETTINGS)
    return Binary(version, bias, dict(zip(names, weights, strict=True)), THRESHOLD)


def check(given: Sequence[Row]) -> None:
    """Recall and false positives of what was not learned from, by threshold."""
    part = [row for row in given if row.weight >= 3.0]
    held = {row.group for row in part[::5]}
    model = train([row for row in given if row.group not in held])
    scored = [
        (
            row,
            model.bias
            + sum(
                value * model.weights.get(name, 0.0)
                for name, value in features(read(row.text).folded).items()
            ),
        )
        for row in part[::5]
    ]
    for threshold in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0):
        shares = [
            sum(score >= threshold for score in scores) / len(scores)
            for scores in ([s for row, s in scored if row.is_attack is wanted] for wanted in (True, False))
        ]
        sys.stdout.write(f"{threshold:5.1f} recall {shares[0]:.3f} false positives {shares[1]:.3f}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="hold a fifth back and write nothing")
    given = list(rows())
    if parser.parse_args().check:
        check(given)
        return
    model = train(given)
    size = write_binary(model, TARGET, SMALLEST)
    sys.stdout.write(f"{len(given)} rows, {len(model.weights)} features, {size} bytes\n")


if __name__ == "__main__":
    main()
