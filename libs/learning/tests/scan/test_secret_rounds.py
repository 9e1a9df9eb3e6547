"""Sets written one after the other, each by another voice before the rules had seen it; packed, so that no scanner stops.

What the rules found of each set when it was new, before they were made wider by what its misses had in common
(recall, false alarms): a .86, .05; b .89, .07; c .89, .014; d .95, .025. By the rules as they were before round a:
b .78, .04; c .84, .03; d .93, .04. Those are the honest figures; what is asked for here only keeps the rules from
falling back.
"""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import pytest

from dw_learning.scan import Hit, redact, scan_secrets


class Row(TypedDict):
    """`spans` are the secrets' own characters; `round` names the set."""

    id: str
    round: str
    label: int
    category: str
    lang: str
    text: str
    spans: list[tuple[int, int]]


PACKED = (Path(__file__).parent / "cases" / "secrets_rounds.jsonl.gz").read_bytes()
ROWS: list[Row] = [json.loads(line) for line in gzip.decompress(PACKED).decode().splitlines()]
ROUNDS = sorted({row["round"] for row in ROWS})


def of(turn: str, label: int) -> list[Row]:
    return [row for row in ROWS if row["round"] == turn and row["label"] == label]


def covered(hits: Sequence[Hit]) -> set[int]:
    return {place for hit in hits for place in range(hit.start, hit.end)}


@pytest.mark.parametrize("turn", ROUNDS)
def test_secrets_are_found(turn: str) -> None:
    rows = of(turn, 1)
    assert len(rows) >= 120
    missed = [row["text"] for row in rows if not scan_secrets(row["text"])]
    assert len(missed) <= len(rows) * 0.03, missed


@pytest.mark.parametrize("turn", ROUNDS)
def test_their_neighbours_are_left_alone(turn: str) -> None:
    rows = of(turn, 0)
    assert len(rows) >= 120
    marked = [row["text"] for row in rows if scan_secrets(row["text"])]
    assert len(marked) <= len(rows) * 0.01, marked


@pytest.mark.parametrize("turn", ROUNDS)
def test_no_part_of_a_secret_is_left(turn: str) -> None:
    left = []
    for row in of(turn, 1):
        places = covered(scan_secrets(row["text"]))
        rest = [at for start, end in row["spans"] for at in range(start, end) if row["text"][at].isalnum()]
        if places and any(at not in places for at in rest):
            left.append(row["text"])
    assert len(left) <= len(of(turn, 1)) * 0.025, left


@pytest.mark.parametrize("turn", ROUNDS)
def test_the_words_around_stay(turn: str) -> None:
    """Beside a secret no word goes; whole addresses, blocks and settings may, which are of no use without it."""
    eaten = []
    for row in of(turn, 1):
        secret = {at for start, end in row["spans"] for at in range(start, end)}
        gone = [at for at in covered(scan_secrets(row["text"])) - secret if row["text"][at].isalnum()]
        if len(gone) > 3 and row["category"] in {
            "password_phrase",
            "one_time_code",
            "seed_phrase",
            "payment_card",
        }:
            eaten.append(row["text"])
    assert len(eaten) <= 1, eaten


@pytest.mark.parametrize("turn", ROUNDS)
def test_redaction_is_final(turn: str) -> None:
    redacted = [redact(row["text"], scan_secrets(row["text"])) for row in of(turn, 1)]
    again = [text for text in redacted if "[redacted:" in text and scan_secrets(text)]
    assert again == []
