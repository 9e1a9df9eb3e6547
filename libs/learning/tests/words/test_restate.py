"""A short correction is kept as the sentence that it means, or left as it is; it lasts as long as what it corrects."""

from __future__ import annotations

import pytest

from dw_learning.evaluate.detect import invents
from dw_learning.evaluate.pipeline import route
from dw_learning.extract import extract
from dw_learning.words.restate import MAX_SHORT, MAX_TOLD, restated

CLOSES = "The Lisbon office closes at 18:00."


@pytest.mark.parametrize(
    ("told", "text", "meant"),
    [
        (CLOSES, "No, at 18:30.", "The Lisbon office closes at 18:30."),
        (CLOSES, "nope, 18:30 now!", "The Lisbon office closes at 18:30."),
        ("The car park costs 24 a month.", "no no, 31 by now", "The car park costs 31 a month."),
        (
            "Das Büro in Graz schließt um 18 Uhr.",
            "Nein, um 18:30.",
            "Das Büro in Graz schließt um 18:30 Uhr.",
        ),
        ("La oficina cierra a las 18:00.", "No, a las 18:30.", "La oficina cierra a las 18:30."),
        ("Офіс зачиняється о 18:00.", "ні, о 18:30", "Офіс зачиняється о 18:30."),
        ("Văn phòng đóng cửa lúc 18:00.", "không, lúc 18:30 nhé", "Văn phòng đóng cửa lúc 18:30."),
        ("オフィスは18時に閉まります。", "いいえ、18時半です。", "オフィスは18時半に閉まります。"),
        ("Our rep at Norka is Lea.", "no, it's Tim", "Our rep at Norka is Tim"),
        ("Der Ansprechpartner ist Lea Winter.", "Nein, Tim Vogt", "Der Ansprechpartner ist Tim Vogt"),
    ],
)
def test_what_cannot_be_mistaken_is_put_together_and_nothing_is_invented(
    told: str, text: str, meant: str
) -> None:
    assert restated(text, told) == meant
    assert not invents(meant, text, told)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (None, "No, at 18:30."),
        (CLOSES, "No, the shop closes at 18:30."),
        (CLOSES, "18:30 works for me"),
        (CLOSES, "No, at 18:00."),
        (CLOSES, "No, thanks"),
        ("Shall I close it at 18:00?", "No, at 18:30."),
        ("It closes at 18:00 and opens at 9:00.", "No, at 18:30."),
        ("Our rep at Norka is Lea.", "no, thanks"),
        ("Our rep at Norka is Lea.", "Nein, Danke"),
        (f"{'x' * MAX_TOLD} 18:00", "No, 18:30"),
        (CLOSES, f"No, 18:30{'!' * MAX_SHORT}"),
    ],
)
def test_what_could_mean_something_else_is_left_as_it_is(told: str | None, text: str) -> None:
    assert restated(text, told) is None


@pytest.mark.parametrize(
    ("told", "text", "way"),
    [
        (CLOSES, "No, at 18:30.", "auto_memory"),
        ("I booked the room for 14:00.", "No, at 15:00.", "skip"),
        ("The door code is 4471.", "no, 4472", "blocked"),
        ("Refunds over 200 euros need Anna's okay.", "no, 300", "propose_memory"),
    ],
)
def test_it_goes_the_way_of_the_whole_sentence(told: str, text: str, way: str) -> None:
    assert route({"text": text, "prev": told, "sender": "verified"})[0] == way


def test_its_place_is_in_the_message_that_was_sent() -> None:
    (item,) = extract(" No, at 18:30. ", CLOSES, "agent", None)
    assert (item.text, item.kind) == ("The Lisbon office closes at 18:30.", "correction")
    assert " No, at 18:30. "[slice(*item.span)] == "No, at 18:30."
    assert not any("closes" in one.text for one in extract("No, at 18:30.", CLOSES, "human", None))
