"""Trains the model of `scan/wording.py` and writes `scan/wording.json.gz`.

    python libs/learning/training/scan_wording.py [--check]

It learns from what is in this repository alone: the cases in `tests/scan/cases`, the templates in `scan_rows` and the
harmless rows that triage learns from.
`--check` holds back one round of cases after another and says what is found in it. Pure Python, half a minute.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import yaml
from attack_rows import grown
from dataset import own
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
"""Where at most one harmless text in fifty of a round never read is marked: see `--check`."""
CASE_WEIGHT = 3.0
TALK = "help_channel"
TALK_WEIGHT = 0.5
"""Of cases that are nobody's near miss, only how people talk where the words of attacks are those of the trade."""
_ROUND = re.compile("^(?:injections|benign|rules_(?:for|against))_?")
SMALLEST = 0.04


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
            yield from _cases(path)
    for name in ("rules_for", "rules_against"):
        by_rule = yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))
        for rule, texts in by_rule.items():
            yield from (
                Row(f"{name}:{rule}", name == "rules_for", str(text), CASE_WEIGHT) for text in _flat(texts)
            )
    for one in grown(EACH):
        yield Row(one.group, one.is_attack, one.text, 0.6)
    for row in own(2):
        if row.cls != "sensitive":
            yield Row(row.group, False, row.text, 1.0)


def _cases(path: Path) -> Iterator[Row]:
    is_attack = path.stem.startswith("injections")
    by_category = yaml.safe_load(path.read_text(encoding="utf-8"))
    number = count()
    for category, languages in by_category.items():
        weight = TALK_WEIGHT if category == TALK else CASE_WEIGHT
        for text in _flat(languages):
            yield Row(f"{path.stem}:{next(number)}", is_attack, text, weight)


def _flat(texts: object) -> Iterator[str]:
    if isinstance(texts, dict):
        for inner in texts.values():
            yield from _flat(inner)
    elif isinstance(texts, list):
        yield from map(str, texts)


def train(given: Sequence[Row], version: str = "wording-1") -> Binary:
    """Features that more than one group has and that not every text has, weighed by AdaGrad."""
    seen = [(row, _features(row.text)) for row in given]
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
    """Recall and false positives by threshold, each round of cases weighed by a model that never read that round."""
    scored: list[tuple[bool, float]] = []
    for held in sorted({_round(row) for row in given} - {""}):
        model = train([row for row in given if _round(row) != held])
        scored += [(row.is_attack, _score(model, row.text)) for row in given if _round(row) == held]
    for step in range(0, 32, 2):
        attacks, harmless = (
            [score >= step / 10 for is_attack, score in scored if is_attack is wanted]
            for wanted in (True, False)
        )
        sys.stdout.write(
            f"{step / 10:5.1f} recall {sum(attacks) / len(attacks):.3f}"
            f" false positives {sum(harmless) / len(harmless):.3f}\n"
        )


def _round(row: Row) -> str:
    """The file of cases without its kind; what is no case is never held back."""
    return _ROUND.sub("", row.group.partition(":")[0]) if row.weight >= CASE_WEIGHT else ""


def _features(text: str) -> dict[str, float]:
    reading = read(text)
    return features(reading.folded, reading.may)


def _score(model: Binary, text: str) -> float:
    present = _features(text)
    return model.bias + sum(value * model.weights.get(name, 0.0) for name, value in present.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="hold rounds back and write nothing")
    given = list(rows())
    if parser.parse_args().check:
        check(given)
        return
    model = train(given)
    size = write_binary(model, TARGET, SMALLEST)
    sys.stdout.write(f"{len(given)} rows, {len(model.weights)} features, {size} bytes\n")


if __name__ == "__main__":
    main()
