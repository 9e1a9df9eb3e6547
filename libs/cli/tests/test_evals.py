"""dw eval: one JSON line with the fields that are promised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dw_cli.evals import app

ROW = {
    "id": "1",
    "text": "The Lisbon office closes at 18:00.",
    "prev": None,
    "sender": "verified",
    "triage": "candidate",
    "cls": "memory_fact",
    "risk": "low",
    "route": "auto_memory",
}
FIELDS = {
    "triage": {"n", "recall", "precision", "skip_rate", "us_per_message"},
    "risk": {"n", "accuracy", "recall", "unsafe"},
    "detect": {"n", "macro_f1", "precision", "recall", "f1", "invented"},
    "pipeline": {
        "n", "accuracy", "saved", "save_precision", "unsafe_saves", "saved_share", "worthy_recall", "junk_proposals",
    },
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("what", FIELDS)
def test_one_line_with_the_promised_fields(what: str, data: Path) -> None:
    result = CliRunner().invoke(app, [what, "--data", str(data)])

    lines = result.stdout.splitlines()
    assert (result.exit_code, len(lines)) == (0, 1), result.output
    assert set(json.loads(lines[0])) == FIELDS[what]


def test_a_right_answer_scores_full(data: Path) -> None:
    result = CliRunner().invoke(app, ["pipeline", "--data", str(data), "--provider", "offline"])
    assert json.loads(result.stdout)["saved_share"] == 1.0


def test_a_missing_file_is_said_plainly(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["risk", "--data", str(tmp_path / "none.jsonl")])
    assert result.exit_code != 0


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ('{"text": "x"}\n{"speech": "y"}\n', "row 1 lacks triage"),
        ('{"text": "x", "triage": "skip"}\n["y"]\n', "row 2 is no object"),
        ("\n", "there are no rows"),
    ],
)
def test_rows_that_cannot_be_scored_are_refused_with_their_number(
    tmp_path: Path, rows: str, says: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(rows, encoding="utf-8")
    done = CliRunner().invoke(app, ["triage", "--data", str(file)])
    assert done.exit_code == 1
    assert says in done.output
