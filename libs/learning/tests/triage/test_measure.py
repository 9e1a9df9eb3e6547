"""Folds by meaning: every row is asked about once, by models that never saw its meaning, and the figures add up."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

TRAINING = Path(__file__).parents[2] / "training"
FACTS = (
    "The loft is called Kanto.",
    "Nadia looks after the vans.",
    "The gate opens at six.",
    "Yusuf runs the lab.",
)
TALK = ("thanks!", "who has the keys?", "running late", "nice pictures", "morning all", "is it raining?")


def _rows(prefix: str, bots: int) -> list[dict[str, Any]]:
    about = {"lang": "en", "prev": None, "role": "it", "risk": "low"}
    facts = {"triage": "candidate", "cls": "memory_fact", "route": "auto_memory", "sender": "verified"}
    talk = {"triage": "skip", "cls": "skip", "route": "skip", "sender": "verified"}
    rows = [about | facts | {"text": text} for text in FACTS] + [
        about | talk | {"text": text} for text in TALK
    ]
    rows += [about | talk | {"text": "Build 7 failed", "sender": "bot"}] * bots
    return [row | {"id": f"{prefix}{number}"} for number, row in enumerate(rows)]


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The module, with few rows of ours and small development sets."""
    for file, bots in (("workplace.dev.jsonl", 2), ("extra.dev.jsonl", 0)):
        lines = "\n".join(json.dumps(row) for row in _rows(file[0], bots))
        (tmp_path / file).write_text(lines, encoding="utf-8")
    monkeypatch.setenv("DW_SHARED_DATA", str(tmp_path))
    monkeypatch.syspath_prepend(str(TRAINING))
    module = importlib.import_module("measure")
    rows = list(importlib.import_module("grammar").grown(1))[::23]
    monkeypatch.setattr(module, "own", lambda: rows)
    # one fold's model stands in for the packaged one while it is asked
    risk = importlib.import_module("dw_learning.risk.classify")
    monkeypatch.setattr(risk, "model", risk.model)
    return module


def test_every_row_is_asked_about_once_and_the_figures_add_up(measure: Any) -> None:
    data = measure.load()
    told = measure.Told(1)
    asked: list[int] = []
    for fold in range(measure.FOLDS):
        part = measure.one_fold(data, (1, fold))
        asked += part.margins
        told.margins |= part.margins
        told.extracted |= part.extracted
        for file, counts in part.parts.items():
            told.parts.setdefault(file, []).extend(counts)

    assert sorted(asked) == list(range(20))
    assert sorted(told.extracted) == sorted(asked)
    for file, bots in (("workplace.dev.jsonl", 2), ("extra.dev.jsonl", 0)):
        assert sum(part["n"] for part in told.parts[file]) == 10 + bots
        found = measure.whole_way(data, [told], file)
        detected = measure.detect(data, [told], file)
        first, *points, length = measure.curve(data, [told], file)
        assert 0 <= found["triage_recall"] <= 1
        assert found["triage_skip"] >= bots / (10 + bots)
        assert detected["n"] == 10
        assert detected["invented"] == 0
        assert [point["threshold"] for point in points] == list(measure.THRESHOLDS)
        recalls = [point["recall"] for point in points]
        assert recalls == sorted(recalls, reverse=True)
        assert first["measure"] == "triage"
        assert length["measure"] == "length only"


def test_strangers_are_asked_about_by_models_that_saw_no_given_row(measure: Any) -> None:
    data = measure.load()
    told = measure.one_fold(data, (1, None))
    assert sorted(told.margins) == list(range(20))
    assert sum(part["n"] for part in told.parts["workplace.dev.jsonl"]) == 12


def test_without_development_sets_it_says_so(
    measure: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").mkdir()
    monkeypatch.setenv("DW_SHARED_DATA", str(tmp_path / "none"))
    monkeypatch.setattr("sys.argv", ["measure.py"])
    assert measure.main() == 1
    assert "missing" in capsys.readouterr().out
