"""The margin of a message without making its features: the same sum, from tables that a model is laid out into once.

`words/features.py` says what a feature is; this file only adds up what those that are there weigh.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import repeat

from dw_learning.words.cues import Reading
from dw_learning.words.features import MAX_TOKENS, counts_as, of_shape, of_subject, of_token, unspaced
from dw_learning.words.linear import Binary

MAX_WORDS = 50_000  # words that are kept with their weight; beyond, all are forgotten and read anew
_NOTHING = repeat(0.0)


class _Words(dict[str, tuple[str, float, int]]):
    """A word to how it counts, the weight of all that it shows by itself, and how many features those are."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, token: str) -> tuple[str, float, int]:
        if len(self) >= MAX_WORDS:
            self.clear()
        counted = counts_as(token)
        shown = of_token(counted)
        known = self[token] = counted, sum(map(self._weights.get, shown, _NOTHING)), len(shown)
        return known


class Score:
    """One model, laid out. What it says of a reading is `Binary.margin` of the reading's features."""

    def __init__(self, model: Binary) -> None:
        weights = model.weights
        self.version, self.threshold = model.version, model.threshold
        self._model = model
        self._words = _Words(weights)
        self._pairs = {
            (one, two): weight
            for name, weight in weights.items()
            for one, space, two in [name.partition(" ")]
            if space
        }
        for name in weights:
            if name.isalnum():
                self._words[name]  # the first message is not to wait for what is known before
        self._dense = lru_cache(maxsize=8_192)(self._dense_of)

    def margin(self, reading: Reading, prev: str | None, shape: tuple[str, ...]) -> float:
        """The logit. `shape` is `shape_of(reading)`."""
        get = self._model.weights.get
        total = self._dense(reading.cues, shape, reading.first)
        if prev:
            total += sum(map(get, of_subject(reading, prev), _NOTHING))
        if reading.lang == "ja":
            sparse = unspaced(reading.low)
            return total + sum(map(get, sparse, _NOTHING)) / math.sqrt(len(sparse))
        return total + self._of_words(reading.tokens[:MAX_TOKENS]) if reading.tokens else total

    def _dense_of(self, cues: frozenset[str], shape: tuple[str, ...], first: str) -> float:
        return self._model.bias + sum(map(self._model.weights.get, of_shape(cues, shape, first), _NOTHING))

    def _of_words(self, tokens: list[str]) -> float:
        words, pairs, get = self._words, self._pairs, self._model.weights.get
        total = get("^" + words[tokens[0]][0], 0.0)
        parts = len(tokens) + 1  # pairs, and the two ends
        before = ""
        for token in tokens:
            counted, weight, shown = words[token]
            total += weight
            parts += shown
            if (before, counted) in pairs:
                total += pairs[before, counted]
            before = counted
        return (total + get("$" + before, 0.0)) / math.sqrt(parts)
