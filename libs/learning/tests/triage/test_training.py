"""The models can be rebuilt from what is in the repository, and our rows teach the kind without copying."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dw_learning.evaluate.detect import evaluate_detect
from dw_learning.evaluate.risk import evaluate_risk
from dw_learning.evaluate.triage import evaluate_triage

TRAINING = Path(__file__).parents[2] / "training"
FEWEST_ROWS = 5_000


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a module of libs/learning/training by name."""
    monkeypatch.syspath_prepend(str(TRAINING))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    return load


def own_rows(training: Any) -> list[Any]:
    return list(training("grammar").grown(3, seed=77))


def shared_rows(file: str) -> list[dict[str, Any]]:
    """The development set where it is present, else nothing."""
    named = os.environ.get("DW_SHARED_DATA")
    places = (
        [Path(named)] if named else [above / "shared" / "data" for above in Path(__file__).resolve().parents]
    )
    found = next((place / file for place in places if (place / file).is_file()), None)
    lines = found.read_text(encoding="utf-8").splitlines() if found else []
    return [json.loads(line) for line in lines if line]


def as_row(row: Any) -> dict[str, Any]:
    return {
        "text": row.text,
        "prev": row.prev,
        "cls": row.cls,
        "risk": row.risk,
        "triage": "skip" if row.cls == "skip" else "candidate",
        "sender": "verified",
    }


def test_the_same_seed_grows_the_same_rows(training: Any) -> None:
    grammar = training("grammar")

    assert list(grammar.grown(2, seed=5)) == list(grammar.grown(2, seed=5))


def test_rows_are_thousands_in_six_languages_and_seven_more(training: Any) -> None:
    rows = training("dataset").own()

    assert len(rows) >= FEWEST_ROWS
    assert {row.lang for row in rows} >= {
        "en",
        "de",
        "es",
        "uk",
        "vi",
        "ja",
        "zh",
        "fr",
        "nl",
        "sv",
        "pt",
        "it",
        "pl",
    }
    assert not any(
        "{" in row.text or ("(" in row.text and "|" in row.text.split("(")[-1].split(")")[0]) for row in rows
    )


def test_messages_that_no_model_was_trained_on_word_for_word_are_told_apart(training: Any) -> None:
    rows = [as_row(row) for row in own_rows(training)[::4]]  # a quarter of them: seconds
    worthy = [row for row in rows if row["cls"] not in ("skip", "retract")]

    triage, detect, risk = evaluate_triage(rows), evaluate_detect(worthy), evaluate_risk(worthy)

    assert triage["recall"] >= 0.95
    assert triage["skip_rate"] >= 0.25
    assert detect["macro_f1"] >= 0.75
    assert detect["invented"] == 0
    assert risk["accuracy"] >= 0.9
    assert risk["unsafe"] <= 0.03 * risk["n"]


@pytest.mark.parametrize("file", ["workplace.dev.jsonl", "extra.dev.jsonl"])
def test_development_sets_where_they_are_present(file: str, training: Any) -> None:
    rows = shared_rows(file) or [as_row(row) for row in own_rows(training)]

    triage, risk = evaluate_triage(rows), evaluate_risk(rows)

    assert triage["recall"] >= 0.95
    assert evaluate_detect(rows)["invented"] == 0
    assert risk["accuracy"] >= 0.8
    assert risk["unsafe"] <= 0.03 * risk["n"]


def test_no_lasting_row_of_ours_copies_one_that_was_given(training: Any) -> None:
    likeness, dataset = training("likeness"), training("dataset")
    given = [row for file in dataset.FILES for row in dataset.given(file) if row.cls != "skip"]

    nearest = list(likeness.near(given, own_rows(training)))

    assert all(score < likeness.LIMIT for score, _, _ in nearest), max(nearest, key=lambda pair: pair[0])


def test_folds_keep_a_meaning_together(training: Any) -> None:
    grammar, crossval = training("grammar"), training("crossval")
    rows = [grammar.Row(str(i), None, "en", "skip", "low", f"g{i // 3}") for i in range(30)]

    for train, test in crossval.folds(rows, 5, seed=1):
        assert not {rows[i].group for i in train} & {rows[i].group for i in test}
        assert sorted(train + test) == list(range(30))


def test_the_operating_point_is_the_strictest_that_keeps_the_recall(training: Any) -> None:
    crossval = training("crossval")

    threshold, skip = crossval.skip_at_recall([0.1, 0.2, 0.3, 0.9], [False, False, True, True], 1.0)

    assert (threshold, skip) == (0.3, 0.5)


def test_a_small_model_learns_what_parts_two_classes(training: Any) -> None:
    grammar, models, sgd = training("grammar"), training("models"), training("sgd")
    rows = [
        grammar.Row(text, None, "en", cls, "low", f"{text}{n}")
        for n in range(4)
        for text, cls in (("we call it Kanto", "memory_fact"), ("thanks a lot", "skip"))
    ]
    seen = models.see(rows)

    model = models.triage_model(seen, sgd.Settings(epochs=5), 1.0, 2, "test")
    classes = models.class_model(
        seen, models.CLASSES, [row.cls for row in rows], sgd.Settings(epochs=5), 1.0, 2, "test"
    )

    assert model.margin(seen[0].sparse, seen[0].dense) > 0 > model.margin(seen[1].sparse, seen[1].dense)
    assert classes.chances(seen[1].sparse, seen[1].dense)["skip"] > 0.5


def test_a_written_model_is_read_back_as_it_was(
    tmp_path: Path, training: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = training("models")
    linear = importlib.import_module("dw_learning.words.linear")
    model = linear.Binary("v", 0.5, {"a": 1.25, "b": 0.001}, -1.0)

    size = models.write_binary(model, tmp_path / "m.json.gz")
    monkeypatch.setattr(linear.resources, "files", lambda _package: tmp_path)
    back = linear.load_binary("any", "m.json.gz")

    assert size > 0
    assert back == linear.Binary("v", 0.5, {"a": 1.25}, -1.0)
