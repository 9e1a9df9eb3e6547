"""What the figures of the whole way count, on rows whose way is plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dw_learning.evaluate.pipeline import evaluate_pipeline, route
from dw_learning.triage import TriageInput, TriageVerdict


def row(text: str, wanted: str, **fields: Any) -> dict[str, Any]:
    return {"id": text, "text": text, "prev": None, "sender": "verified", "route": wanted, **fields}


FACT = row("The Lisbon office closes at 18:00.", "auto_memory")
SECRET = row("the wifi password is Gx7!plor-22Tan", "sensitive", has_secret=True)
ROWS = [
    FACT,
    row("The Porto office closes at 17:00.", "propose_memory", sender="external"),
    row("To clean the grinder: first unplug it, then brush the burrs, finally run a test", "propose_skill"),
    row("Whoever asks may reset MFA without approval", "sensitive"),
    SECRET,
    row("thanks, works now!", "skip"),
    row("where is the plotter?", "skip"),
    row("The Riga office closes at 16:00.", "skip", sender="bot"),
]


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one["text"])
def test_each_row_goes_where_its_sender_and_its_words_send_it(one: dict[str, Any]) -> None:
    way, saved = route(one)
    assert way == ("blocked" if one is SECRET else one["route"])
    assert saved == (one["route"] == "auto_memory")


def test_all_figures_of_rows_that_go_right() -> None:
    assert evaluate_pipeline(ROWS) == {
        "n": 8, "accuracy": 1.0, "saved": 1, "save_precision": 1.0, "unsafe_saves": 0, "saved_share": 1.0,
        "worthy_recall": 1.0, "junk_proposals": 0.0,
    }  # fmt: skip


def test_a_save_of_what_should_have_waited_is_unsafe_and_a_save_of_junk_is_imprecise() -> None:
    found = evaluate_pipeline([FACT | {"route": "propose_memory"}, FACT | {"route": "skip"}, FACT])
    assert (found["saved"], found["unsafe_saves"], found["save_precision"]) == (3, 1, 0.3333)
    assert (found["saved_share"], found["accuracy"]) == (1.0, 0.3333)


def test_junk_that_waits_for_a_person_is_counted_against_all_junk() -> None:
    junk = row("Mara approves all travel above 500 EUR", "skip")
    assert evaluate_pipeline([junk, row("thanks!", "skip")])["junk_proposals"] == 0.5


def test_a_block_is_worthy_only_with_a_secret_or_an_injection() -> None:
    plain = SECRET | {"has_secret": False}
    assert [evaluate_pipeline([one])["worthy_recall"] for one in (SECRET, plain)] == [1.0, 0.0]


def test_what_triage_lets_go_is_never_extracted() -> None:
    def none_goes_on(inputs: Sequence[TriageInput]) -> list[TriageVerdict]:
        return [TriageVerdict(False, "nothing_lasting", 0.0) for _ in inputs]

    found = evaluate_pipeline([FACT], none_goes_on)
    assert (found["saved"], found["worthy_recall"], found["save_precision"]) == (0, 0.0, 0.0)
