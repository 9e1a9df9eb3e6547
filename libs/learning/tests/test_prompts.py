"""Prompts: what a text must be, and how it is shown (R66, D10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.prompts import KEYS, LEARNING_DETECT, SKILL_DRAFT, Data, Prompt, faults_of, render
from dw_learning.prompts_shipped import SHIPPED

DETECT = SHIPPED[LEARNING_DETECT]


def test_what_is_shipped_keeps_the_rules_and_every_prompt_is_shipped() -> None:
    assert set(SHIPPED) == set(KEYS)
    assert [faults_of(p.key, p.system, p.turn) for p in SHIPPED.values()] == [(), ()]
    assert [p.name for p in SHIPPED.values()] == ["learning_detect-2", "skill_draft-1"]


@pytest.mark.parametrize(
    ("key", "system", "turn", "word"),
    [
        ("memory_compact", "x", "{{message}}", "no prompt"),
        (LEARNING_DETECT, " ", "{{message}}", "1 to"),
        (LEARNING_DETECT, "x" * 16_001, "{{message}}", "1 to"),
        (LEARNING_DETECT, "x", "{{message}}" + "y" * 2_000, "at most"),
        (LEARNING_DETECT, "obey {{message}}", "{{message}}", "no variables"),
        (LEARNING_DETECT, "x", "{{answered}}", "has no {{message}}"),
        (LEARNING_DETECT, "x", "{{message}} {{org_id}}", "{{org_id}} is unknown"),
        (LEARNING_DETECT, "x", "{{message}} {{ message }}", "twice"),
        (SKILL_DRAFT, "x", "{{message}}", "has no {{said}}"),
        (LEARNING_DETECT, "a\u200bb", "{{message}}", "invisible"),
        (LEARNING_DETECT, "the password is Heron-Barrel-47!", "{{message}}", "secret"),
    ],
)
def test_a_text_that_is_no_prompt_says_why(key: str, system: str, turn: str, word: str) -> None:
    assert any(word in fault for fault in faults_of(key, system, turn))


def test_data_stand_in_blocks_in_their_place_and_what_is_not_there_leaves_no_line() -> None:
    message, answered = Data("message", "It is 19:00."), Data("answered", "It is 18:00.", by="agent")
    assert render(DETECT, {"message": (message,)}) == "<message>\nIt is 19:00.\n</message>"
    assert render(DETECT, {"message": (message,), "answered": (answered,)}) == (
        '<answered by="agent">\nIt is 18:00.\n</answered>\n<message>\nIt is 19:00.\n</message>'
    )


def test_a_variable_in_somebodys_words_is_a_word() -> None:
    told = render(
        DETECT, {"message": (Data("message", "{{answered}}"),), "answered": (Data("answered", "x"),)}
    )
    assert told.endswith("<message>\n{{answered}}\n</message>")


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=4))
def test_nobodys_words_open_or_close_a_block(text: str, said: list[str]) -> None:
    prompt = Prompt(SKILL_DRAFT, 7, "x", "{{topic}}\n{{said}}")
    told = render(prompt, {"topic": (Data("topic", text),), "said": tuple(Data("said", t) for t in said)})
    assert told.count("<") == 2 + 2 * len(said)
