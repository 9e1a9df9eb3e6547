"""docs/requirements.md is complete, and what it names as proof exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| ([RD]\d+) \| (.+?) \| (\w+) \| (.*?) ?\|$", flags=re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "requirements.md").read_text())
EXPECTED = [f"R{number}" for number in range(1, 360)] + [f"D{number}" for number in range(1, 61)]


def _proofs(cell: str) -> list[str]:
    return [proof.strip().strip("`") for proof in cell.split(",") if proof.strip()]


@cache
def _tests_of(path: Path) -> frozenset[str]:
    """Names of a module's test functions, methods as Class::method."""
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}::{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return frozenset(names)


def _missing(proof: str) -> str | None:
    path, _, name = proof.partition("::")
    if not (ROOT / path).is_file():
        return f"{proof}: no such file"
    bare = name.partition("[")[0]
    return None if bare in _tests_of(ROOT / path) else f"{proof}: no such test"


def test_every_number_stands_once_and_in_order() -> None:
    numbers = [number for number, *_ in ROWS]

    assert [number for number, count in Counter(numbers).items() if count > 1] == []
    assert numbers == EXPECTED


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_has_a_known_state_and_proof_that_exists(row: tuple[str, str, str, str]) -> None:
    _, statement, state, cell = row
    proofs = _proofs(cell)

    assert statement
    assert state in ("open", "partly", "done")
    assert bool(proofs) == (state != "open")
    assert [problem for proof in proofs if (problem := _missing(proof))] == []
