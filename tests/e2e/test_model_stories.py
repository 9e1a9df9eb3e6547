"""Stories in which a step says what the model answers, on a stack whose detector asks a stand-in over HTTP (D9, R61)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from dw_cli.play.parse import read_story
from dw_cli.play.report import Report
from dw_cli.play.run import Player, readable
from dw_cli.play.stage import Stage
from dw_cli.play.stand_in import StandIn
from dw_devstack.paths import Home
from dw_devstack.stack import StackOptions
from dw_testkit.stacks import started

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
STORIES = [
    path
    for path in sorted((Path(__file__).parents[2] / "stories").glob("*.yaml"))
    if "gate" in read_story(path).needs
]


@pytest.fixture
def with_model(tmp_path: Path) -> Iterator[Stage]:
    """A stack of its own: nobody else's is given another model."""
    with StandIn.serving() as model:
        options = StackOptions(any_ports=True, fast=True, overrides=model.settings)
        with started(Home(tmp_path / ".dw"), options) as stack:
            yield Stage.of(stack.home, stack.addresses, model)


async def test_every_story_with_a_model_holds(with_model: Stage) -> None:
    seen = io.StringIO()
    report = Report(Console(file=seen, width=200))
    await Player(with_model, report, None, ()).play(readable(STORIES, report))
    assert report.failures == [], seen.getvalue()
    assert report.held == sum(len(read_story(path).steps) for path in STORIES) > 20
