"""Logistic and softmax regression by AdaGrad, in plain Python: deterministic for one seed, no packages needed."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """Feature numbers with their values, the class, the weight, and the group of meaning that it belongs to."""

    features: tuple[tuple[int, float], ...]
    label: int
    weight: float
    group: str


class Vocabulary:
    """Feature names to numbers; only features that occur in several groups of meaning are kept."""

    def __init__(self, counted: Iterable[tuple[str, Iterable[str]]], at_least: int) -> None:
        groups: dict[str, set[str]] = defaultdict(set)
        for group, names in counted:
            for name in names:
                if len(groups[name]) < at_least:
                    groups[name].add(group)
        kept = sorted(name for name, seen in groups.items() if len(seen) >= at_least)
        self.index = {name: number for number, name in enumerate(kept)}
        self.names = kept

    def encode(self, sparse: Sequence[str], dense: Sequence[str]) -> tuple[tuple[int, float], ...]:
        """Values as the models use them at run time: sparse features scaled by their number."""
        values: dict[int, float] = defaultdict(float)
        scale = 1.0 / math.sqrt(len(sparse) or 1)
        for names, value in ((sparse, scale), (dense, 1.0)):
            for name in names:
                number = self.index.get(name)
                if number is not None:
                    values[number] += value
        return tuple(values.items())


@dataclass(frozen=True, slots=True)
class Settings:
    """How long and how hard."""

    epochs: int = 8
    rate: float = 0.12
    shrink: float = 2e-5  # pull towards zero at each touch, times the learning rate
    seed: int = 1


def fit_binary(examples: Sequence[Example], size: int, settings: Settings) -> tuple[list[float], float]:
    """Weights and bias. Label 1 is the candidate."""
    weights, squares = [0.0] * size, [1e-3] * size
    bias, bias_square = 0.0, 1e-3
    order = list(range(len(examples)))
    dice = random.Random(settings.seed)
    rate, shrink, sqrt, exp = settings.rate, settings.shrink, math.sqrt, math.exp
    for _ in range(settings.epochs):
        dice.shuffle(order)
        for at in order:
            example = examples[at]
            total = bias
            for number, value in example.features:
                total += weights[number] * value
            guess = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))
            error = (guess - example.label) * example.weight
            for number, value in example.features:
                slope = error * value + shrink * weights[number]
                squares[number] += slope * slope
                weights[number] -= rate * slope / sqrt(squares[number])
            bias_square += error * error
            bias -= rate * error / sqrt(bias_square)
    return weights, bias


def fit_classes(
    examples: Sequence[Example], size: int, classes: int, settings: Settings
) -> tuple[list[list[float]], list[float]]:
    """A row of weights a feature, and a bias a class."""
    weights = [[0.0] * classes for _ in range(size)]
    squares = [[1e-3] * classes for _ in range(size)]
    bias, bias_squares = [0.0] * classes, [1e-3] * classes
    order = list(range(len(examples)))
    dice = random.Random(settings.seed)
    span = range(classes)
    for _ in range(settings.epochs):
        dice.shuffle(order)
        for at in order:
            example = examples[at]
            errors = _errors(example, weights, bias, span)
            for number, value in example.features:
                row, squared = weights[number], squares[number]
                for k in span:
                    slope = errors[k] * value + settings.shrink * row[k]
                    squared[k] += slope * slope
                    row[k] -= settings.rate * slope / math.sqrt(squared[k])
            for k in span:
                bias_squares[k] += errors[k] * errors[k]
                bias[k] -= settings.rate * errors[k] / math.sqrt(bias_squares[k])
    return weights, bias


def _errors(example: Example, weights: list[list[float]], bias: list[float], span: range) -> list[float]:
    totals = list(bias)
    for number, value in example.features:
        row = weights[number]
        for k in span:
            totals[k] += row[k] * value
    top = max(totals)
    raised = [math.exp(total - top) for total in totals]
    whole = sum(raised)
    return [(raised[k] / whole - (1.0 if k == example.label else 0.0)) * example.weight for k in span]
