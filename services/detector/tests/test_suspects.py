"""A question that no model answers in time stops nobody but itself, and not for ever (G14, G16)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dw_detector.detect import NoAnswer, Question
from dw_runtime import Transient
from services.detector.tests.gate_world import GOOD, World, items, openai_answer

pytestmark = pytest.mark.integration
Make = Callable[..., World]
WELL = openai_answer(items(GOOD))


async def never() -> Any:
    await asyncio.sleep(60)


def poisoned(made: World) -> Question:
    """The model hangs over this text and answers all others."""
    made.stuck = "Ouroboros"
    return made.question("The snake is called Ouroboros.")


async def test_it_is_given_up_after_three_timeouts_while_others_are_answered(world: Make) -> None:
    made = world(WELL, models=("small",), timeout_seconds=0.1)
    poison = poisoned(made)
    with pytest.raises(Transient):
        await made.provider.detect(poison)
    assert [row[2] for row in made.ledger()] == ["timeout"] * 3
    await made.provider.detect(made.question())
    with pytest.raises(NoAnswer, match="small never answers it in time"):
        await made.provider.detect(poison)
    assert len(made.asked) == 4, "no fourth time"
    assert made.held() == (0, 0)
    with pytest.raises(Transient):
        await made.provider.detect(poison)
    assert len(made.asked) == 7, "whoever brings it back may ask anew"


async def test_alone_it_rests_and_opens_no_breaker(world: Make) -> None:
    made = world(WELL, models=("small",), timeout_seconds=0.1)
    poison = poisoned(made)
    for _ in range(3):
        with pytest.raises(Transient):
            await made.provider.detect(poison)
    assert len(made.asked) == 3, "it rests: nothing is paid"
    assert made.metric("dw_gate_breaker_state", model="small") == 0
    assert len((await made.provider.detect(made.question())).items) == 1
    made.now += 30.0
    with pytest.raises(NoAnswer):
        await made.provider.detect(poison)


async def test_where_all_questions_time_out_it_is_the_model_and_none_of_them_is_given_up(world: Make) -> None:
    made = world(never, models=("small",), timeout_seconds=0.1)
    asked = [made.question() for _ in range(3)]
    for question in asked:
        with pytest.raises(Transient):
            await made.provider.detect(question)
    assert made.metric("dw_gate_breaker_state", model="small") == 2
    made.now += 30.0
    made.left = iter([WELL] * 4)
    for question in [made.question(), *asked]:
        assert len((await made.provider.detect(question)).items) == 1


async def test_a_fallback_answers_what_the_first_one_never_does(world: Make) -> None:
    made = world(never, never, never, WELL, timeout_seconds=0.1)
    question = made.question()
    assert (await made.provider.detect(question)).model == "big"
    made.left = iter([WELL])
    assert (await made.provider.detect(made.question())).model == "small"
    made.left = iter([503, 503, 503])
    with pytest.raises(Transient):
        await made.provider.detect(question)
    assert [body["model"] for body in made.asked[-3:]] == ["big"] * 3, "the other one may still answer it"
    made.left = iter([WELL])
    with pytest.raises(Transient):
        await made.provider.detect(question)
    made.now += 30.0
    assert (await made.provider.detect(question)).model == "big"
