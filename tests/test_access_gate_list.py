"""docs/access-gate.md is complete (D56), and what it names as proof exists."""

from __future__ import annotations

import re

import pytest
from test_requirements import ROOT, _missing, _proofs

ROW = re.compile(r"^\| (G\d+) \| (.+?) \| (\w+) \| (.*?) ?\|$", flags=re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "access-gate.md").read_text())


def test_every_number_of_the_gate_stands_once_and_in_order() -> None:
    assert [number for number, *_ in ROWS] == [f"G{number}" for number in range(1, 35)]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_of_the_gate_has_a_state_and_proof_that_exists(row: tuple[str, str, str, str]) -> None:
    _, statement, state, cell = row
    proofs = _proofs(cell)
    assert statement
    assert state in ("open", "partly", "done")
    assert bool(proofs) == (state != "open")
    assert [problem for proof in proofs if (problem := _missing(proof))] == []
