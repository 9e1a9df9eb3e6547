"""S0's first end-to-end story (R344) and what the demo shows, through seven real processes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from dw_devstack.demo import play
from dw_devstack.stack import Stack
from dw_testkit.stacks import doors_of

pytestmark = pytest.mark.e2e


async def test_a_correction_in_one_channel_is_known_in_the_other(stack: Stack) -> None:
    """The whole demo: correction, stranger, password, procedure, small talk, approval, the other org, audit, trace."""
    seen = io.StringIO()
    failed = await play(doors_of(stack), Console(file=seen, width=140))
    assert failed == 0, seen.getvalue()
