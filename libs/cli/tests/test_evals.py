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


@pytest.mark.parametrize(
    ("what", "change", "says"),
    [
        ("triage", {"triage": "maybe"}, "row 2: triage is candidate or skip"),
        ("triage", {"text": 7}, "row 2: text is no string"),
        ("triage", {"prev": ["x"]}, "row 2: prev is a string or null"),
        ("triage", {"kind": "shout"}, "row 2: kind is "),
        (
            "detect",
            {"cls": "foo"},
            "row 2: cls is skip, memory_fact, memory_preference, correction, skill_procedure or sensitive",
        ),
        ("detect", {"cls": None}, "row 2: cls is "),
        (
            "pipeline",
            {"route": "zz"},
            "row 2: route is skip, auto_memory, propose_memory, propose_skill or sensitive",
        ),
        ("risk", {"risk": "medium"}, "row 2: risk is low, high or sensitive"),
        ("risk", {"cls": "foo"}, "row 2: cls is "),
    ],
)
def test_an_unknown_label_is_refused_and_not_scored(
    tmp_path: Path, what: str, change: dict[str, object], says: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in (ROW, {**ROW, **change})), encoding="utf-8")
    done = CliRunner().invoke(app, [what, "--data", str(file)])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert says in done.output


def test_a_label_that_is_not_scored_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({**ROW, "cls": "of our own", "risk": "?"}), encoding="utf-8")
    assert CliRunner().invoke(app, ["triage", "--data", str(file)]).exit_code == 0


@pytest.mark.parametrize(("label", "status"), [(1, 0), ("0", 0), (True, 1), ("yes", 1)])
def test_a_scan_takes_one_and_nought(tmp_path: Path, label: object, status: int) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"text": "hello", "label": label}), encoding="utf-8")
    done = CliRunner().invoke(app, ["scan", "--kind", "secrets", "--data", str(file)])
    assert done.exit_code == status
    assert ("row 1: label is 1 or 0" in done.output) is bool(status)


def test_a_risk_is_there_where_something_is_taught(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    teaches_not = {"text": "hello", "cls": "skip", "risk": "none"}
    file.write_text(f"{json.dumps(teaches_not)}\n{json.dumps({'text': 'hello'})}\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["risk", "--data", str(file)])
    assert (done.exit_code, "row 2: risk is low, high or sensitive" in done.output) == (1, True)
