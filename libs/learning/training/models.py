"""From rows to models: features, vocabulary, fitting, the file that ships."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grammar import Row
from sgd import Example, Settings, Vocabulary, fit_binary, fit_classes

from dw_learning.words.cues import read
from dw_learning.words.features import features
from dw_learning.words.frame import frame
from dw_learning.words.linear import SCALE, Binary, Classes

CLASSES = (
    "skip",
    "memory_fact",
    "memory_preference",
    "correction",
    "skill_procedure",
    "sensitive",
    "retract",
)
RISKS = ("low", "high", "sensitive")


@dataclass(frozen=True, slots=True)
class Seen:
    """A row and its features."""

    row: Row
    sparse: list[str]
    dense: list[str]
    framed: list[str]  # sparse and frame, as the extractor sees it


def see(rows: Sequence[Row], with_prev: bool = True) -> list[Seen]:
    """Features as at run time."""
    return [_seen(row, row.prev if with_prev else None) for row in rows]


def _seen(row: Row, prev: str | None) -> Seen:
    reading = read(row.text)
    sparse, dense = features(reading, prev)
    return Seen(row, sparse, dense, [*sparse, *frame(reading)])


def framed(seen: Sequence[Seen]) -> list[Seen]:
    """The same rows for a model that reads frames."""
    return [Seen(one.row, one.framed, one.dense, one.framed) for one in seen]


def vocabulary(seen: Sequence[Seen], at_least: int) -> Vocabulary:
    """Features that several meanings share."""
    return Vocabulary(((one.row.group, (*one.sparse, *one.dense)) for one in seen), at_least)


def triage_model(
    seen: Sequence[Seen],
    settings: Settings,
    given_weight: float,
    at_least: int,
    version: str,
    threshold: float = 0.0,
) -> Binary:
    """Candidate or skip."""
    known = vocabulary(seen, at_least)
    examples = [
        Example(
            known.encode(one.sparse, one.dense),
            int(one.row.cls != "skip"),
            1.0 if one.row.own else given_weight,
            one.row.group,
        )
        for one in seen
    ]
    weights, bias = fit_binary(examples, len(known.names), settings)
    return Binary(version, bias, dict(zip(known.names, weights, strict=True)), threshold)


def class_model(
    seen: Sequence[Seen],
    names: tuple[str, ...],
    labels: Sequence[str],
    settings: Settings,
    given_weight: float,
    at_least: int,
    version: str,
) -> Classes:
    """One of several classes."""
    known = vocabulary(seen, at_least)
    examples = [
        Example(
            known.encode(one.sparse, one.dense),
            names.index(label),
            1.0 if one.row.own else given_weight,
            one.row.group,
        )
        for one, label in zip(seen, labels, strict=True)
    ]
    weights, bias = fit_classes(examples, len(known.names), len(names), settings)
    rows = {name: tuple(row) for name, row in zip(known.names, weights, strict=True)}
    return Classes(version, names, tuple(bias), rows)


def write_binary(model: Binary, path: Path, smallest: float = 0.02) -> int:
    """The file, and its size. Weights that change nothing are left out."""
    kept = {name: round(value * SCALE) for name, value in model.weights.items() if abs(value) >= smallest}
    return _write(
        path,
        {
            "version": model.version,
            "bias": round(model.bias * SCALE),
            "threshold": round(model.threshold * SCALE),
            "weights": kept,
        },
    )


def write_classes(model: Classes, path: Path, smallest: float = 0.03) -> int:
    """The file, and its size."""
    kept = {
        name: [round(value * SCALE) for value in row]
        for name, row in model.weights.items()
        if max(map(abs, row)) >= smallest
    }
    bias = [round(value * SCALE) for value in model.bias]
    return _write(path, {"version": model.version, "names": list(model.names), "bias": bias, "weights": kept})


def _write(path: Path, value: dict[str, object]) -> int:
    raw = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(raw, 9, mtime=0))
    return path.stat().st_size
