"""What a call costs, in millionths of a US dollar, by a table with a version (G22). No price, no call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

MILLION = 1_000_000
MOST_DOLLARS = 1_000_000
MOST_COUNTED = 10**9  # tokens: no call has more, and a number beyond is none


@dataclass(frozen=True, slots=True)
class Price:
    """Micro-dollars per million tokens, which is US dollars per million times a million."""

    input: int
    output: int
    cached: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the provider bills. None: it did not say, which is not zero (G23). Cached ones are part of the input,
    reasoning ones part of the output."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Bill:
    """What a call is booked at: never more than was held for it (G7). `beyond`: the provider named more than the call
    could cost, so that neither its numbers nor any of its costs are believed."""

    cost: int
    tokens: Tokens
    estimated: bool = False
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model under one version, which every row of the ledger names."""

    version: str
    prices: Mapping[str, Price]

    @classmethod
    def parse(cls, text: str, version: str) -> PriceTable:
        """`model=input/output[/cached]` in US dollars per million tokens, comma separated. ValueError where it is not."""
        prices: dict[str, Price] = {}
        for entry in filter(None, (part.strip() for part in text.split(","))):
            model, equals, amounts = entry.rpartition("=")
            numbers = [_micro(amount) for amount in amounts.split("/")]
            if not equals or not model or len(numbers) not in (2, 3):
                raise ValueError(f"a price is model=input/output or model=input/output/cached, not {entry!r}")
            price = Price(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else numbers[0])
            if prices.setdefault(model, price) != price:
                raise ValueError(f"{model} has one price, not two")
        return cls(version, prices)

    def most(self, model: str, input_tokens: int, output_tokens: int) -> int:
        """What a call can cost at most: reserved before it is made (G7). KeyError for a model without a price."""
        price = self.prices[model]
        dearest = max(price.input, price.cached)
        return _up(input_tokens * dearest + output_tokens * price.output)

    def bill(self, model: str, tokens: Tokens, most: int) -> Bill:
        """Where the provider says too little or too much, what was held: a guess, and marked as one (G22)."""
        named = (tokens.input, tokens.output, tokens.cached, tokens.reasoning)
        counted = all(count is None or count <= MOST_COUNTED for count in named)
        cost = self.cost(model, tokens)
        if not counted or (cost is not None and cost > most):
            return Bill(most, Tokens(), estimated=True, beyond=True)
        return Bill(most if cost is None else cost, tokens, estimated=cost is None)

    def cost(self, model: str, tokens: Tokens) -> int | None:
        """What it did cost; None where the provider did not say enough."""
        if tokens.input is None or tokens.output is None:
            return None
        price, cached = self.prices[model], min(tokens.cached or 0, tokens.input)
        fresh = tokens.input - cached
        return _up(fresh * price.input + cached * price.cached + tokens.output * price.output)


def version_taken(version: str) -> str:
    """Why no call is booked under a version that meant other prices before (G22), and what to do."""
    return (
        f"price version {version} means other prices than DW_DETECTOR_PRICES says: "
        "give DW_DETECTOR_PRICE_VERSION a new name"
    )


def _up(micro_millions: int) -> int:
    """Rounded up: a thousand small calls are not free."""
    return -(-micro_millions // MILLION)


def _micro(amount: str) -> int:
    try:
        dollars = float(amount)
    except ValueError:
        dollars = math.nan
    if not 0 <= dollars <= MOST_DOLLARS:
        raise ValueError(f"a price is an amount of US dollars from 0 to {MOST_DOLLARS}, not {amount!r}")
    return round(dollars * MILLION)


def most_tokens(request: bytes) -> int:
    """No tokeniser that providers use makes more tokens of a text than it has bytes in UTF-8; the wire form of the
    request has more bytes than its texts. An upper bound, so that a hard limit is hard (G10)."""
    return len(request)
