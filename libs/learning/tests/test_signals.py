"""When two texts are the same signal, and above all when they are not (D14, D17)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.signals import same_signal, signal


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Lisbon office closes at 18:00.", "the Lisbon office closes at 18:00"),
        ("The Lisbon office closes at 18:00.", "At 18:00 the Lisbon office closes!"),
        ("Our printers sit on floor 2.", "Our printer sits on the floor 2"),
    ],
)
def test_the_same_in_nearly_the_same_words(left: str, right: str) -> None:
    assert same_signal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Lisbon closes at 18:00.", "Lisbon closes at 19:00."),
        ("Lisbon closes at 18:00.", "Porto closes at 18:00."),
        ("The office is open on Fridays.", "The office is not open on Fridays."),
        ("Anna reports to Bela.", "Bela reports to Anna."),
        ("We use Jira.", "We never use Jira."),
    ],
)
def test_what_says_something_else(left: str, right: str) -> None:
    assert not same_signal(left, right)


@given(st.text(max_size=80))
def test_every_text_has_a_signal_of_its_own_form(text: str) -> None:
    assert len(signal(text)) == 32
    assert signal(text) == signal(text)
