"""Linear models over named features: the file, the score. Trained by libs/learning/training."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import repeat
from typing import TypedDict

_NOTHING = repeat(0.0)
SCALE = 1000.0  # weights stand in the file as whole numbers of thousandths


@dataclass(frozen=True, slots=True)
class Binary:
    """One score. Above zero speaks for the candidate."""

    version: str
    bias: float
    weights: Mapping[str, float]
    threshold: float

    def margin(self, sparse: Sequence[str], dense: Sequence[str]) -> float:
        """The logit."""
        get = self.weights.get
        total = self.bias + sum(map(get, dense, _NOTHING))
        return total + sum(map(get, sparse, _NOTHING)) / math.sqrt(len(sparse) or 1)


@dataclass(frozen=True, slots=True)
class Classes:
    """One score a class."""

    version: str
    names: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def chances(self, sparse: Sequence[str], dense: Sequence[str]) -> dict[str, float]:
        """Share of each class, together one."""
        get = self.weights.get
        near, far = [row for row in map(get, dense) if row], [row for row in map(get, sparse) if row]
        totals = list(self.bias)
        for rows, factor in ((near, 1.0), (far, 1.0 / math.sqrt(len(sparse) or 1))):
            for index, column in enumerate(zip(*rows, strict=True)):
                totals[index] += sum(column) * factor
        top = max(totals)
        raised = [math.exp(total - top) for total in totals]
        whole = sum(raised)
        return {name: value / whole for name, value in zip(self.names, raised, strict=True)}


def load_binary(package: str, file: str) -> Binary:
    """Read a packaged model of one score."""
    raw: _BinaryFile = json.loads(_read(package, file))
    weights = {name: value / SCALE for name, value in raw["weights"].items()}
    return Binary(raw["version"], raw["bias"] / SCALE, weights, raw["threshold"] / SCALE)


def load_classes(package: str, file: str) -> Classes:
    """Read a packaged model of several classes."""
    raw: _ClassesFile = json.loads(_read(package, file))
    weights = {name: tuple(value / SCALE for value in row) for name, row in raw["weights"].items()}
    return Classes(
        raw["version"], tuple(raw["names"]), tuple(value / SCALE for value in raw["bias"]), weights
    )


def _read(package: str, file: str) -> bytes:
    return gzip.decompress(resources.files(package).joinpath(file).read_bytes())


class _BinaryFile(TypedDict):
    version: str
    bias: int
    threshold: int
    weights: dict[str, int]


class _ClassesFile(TypedDict):
    version: str
    names: list[str]
    bias: list[int]
    weights: dict[str, list[int]]
