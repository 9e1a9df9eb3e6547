"""A deadline ends what hangs, and nothing else."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest

from dw_runtime import ProblemError
from dw_runtime.deadline import Deadline


async def stubborn() -> None:
    """Waits on when it is cancelled, as a connection does whose server is frozen."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(60)


async def value() -> int:
    """At once."""
    return 7


async def late() -> None:
    """Ends as it is cancelled, without a word."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return


async def test_what_is_in_time_is_the_answer_and_leaves_no_alarm() -> None:
    assert await Deadline(0.02).run(value()) == 7
    await asyncio.sleep(0.05)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_what_hangs_and_will_not_be_cancelled_is_left_in_time() -> None:
    began = monotonic()
    with pytest.raises(ProblemError) as caught:
        await Deadline(0.05).run(stubborn())
    assert caught.value.problem.status == 503
    assert monotonic() - began < 1.0
    await asyncio.sleep(0.1)  # nothing is left that would cancel this


async def test_an_answer_at_the_last_moment_leaves_the_task_uncancelled() -> None:
    await Deadline(0.02).run(late())
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_who_cancels_from_outside_is_obeyed() -> None:
    task = asyncio.create_task(Deadline(5.0).run(asyncio.sleep(60)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_failure_keeps_its_reason() -> None:
    async def fails() -> None:
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        await Deadline(1.0).run(fails())
