"""dw play FILE…: on the running stack, or on one that is started for it and stopped afterwards: where none runs, and
where a step says what the model answers, since nobody else's stack is given another model."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from dw_cli.local import fail
from dw_cli.play.report import Report
from dw_cli.play.run import Player, readable
from dw_cli.play.stage import Stage
from dw_cli.play.stand_in import StandIn
from dw_cli.play.story import FEATURES, Story
from dw_devstack.errors import StackError
from dw_devstack.paths import Home
from dw_devstack.ports import is_listening
from dw_devstack.progress import Lines
from dw_devstack.stack import Stack, StackOptions
from dw_devstack.state import read_state

PROVIDER: Final = "DW_DETECTOR_PROVIDER"
PATIENCE_SECONDS: Final = 5.0
POLL_SECONDS: Final = 0.1


def play(
    files: Annotated[list[Path], typer.Argument(help="Stories, as YAML.")],
    needs: Annotated[
        str, typer.Option(help="Play only files and steps that need no more than these, comma separated.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
    llm: Annotated[
        bool | None, typer.Option("--llm/--no-llm", help="Play what is tagged llm; else if a model is set.")
    ] = None,
) -> None:
    """Play stories on fresh orgs and say, step by step, what held. All files are read first: what does not fit is said
    with its line, before anything is played. The exit status is the number of steps that failed, at most 100. A restart
    step kills and starts services of the stack that is played on."""
    features = _features(needs)
    if missing := [str(path) for path in files if not path.is_file()]:
        raise fail(f"no such file: {', '.join(missing)}", 2)
    model = os.environ.get(PROVIDER, "offline") not in ("", "offline") if llm is None else llm
    signal.signal(signal.SIGTERM, _interrupt)
    console = Console(soft_wrap=True)
    report = Report(console)
    try:
        if stories := readable(files, report):  # no stack is started to say what is wrong with files
            with _stage(console, with_model=_needs_model(stories, features)) as stage:
                asyncio.run(Player(stage, report, features, ["llm"] if model else []).play(stories))
    except StackError as error:
        raise fail(str(error)) from None
    report.ends()
    if as_json:
        sys.stdout.write(report.as_json() + "\n")
    raise typer.Exit(report.status)


def _interrupt(*_: object) -> None:
    """SIGTERM ends like Ctrl-C: what was started for the stories goes with them."""
    raise KeyboardInterrupt


def _features(needs: str) -> frozenset[str] | None:
    wanted = frozenset(part.strip() for part in needs.split(",") if part.strip())
    if unknown := wanted - set(FEATURES):
        raise fail(f"no feature {', '.join(sorted(unknown))}; known are {', '.join(FEATURES)}", 2)
    return wanted or None


@contextmanager
def _stage(console: Console, *, with_model: bool) -> Iterator[Stage]:
    """The running stack of this folder, else one of its own in a folder that goes with it."""
    home = Home.locate()
    state = read_state(home)
    if state is not None and not with_model:
        stage = Stage.of(home, state.addresses)
        _expect_answers(stage)
        yield stage
        return
    with ExitStack() as held:
        folder = held.enter_context(
            tempfile.TemporaryDirectory(prefix="dw-play-", ignore_cleanup_errors=True)
        )
        model = held.enter_context(StandIn.serving()) if with_model else None
        why = "A story brings its own model" if with_model else "No stack is running here"
        console.print(f"{why}: starting a stack for these stories.")
        own = Home(Path(folder) / ".dw")
        options = StackOptions(
            any_ports=True, fast=True, overrides=model.settings if model is not None else {}
        )
        stack = held.enter_context(Stack(own, options).running(Lines(console).part))
        yield Stage.of(own, stack.addresses, model)


def _expect_answers(stage: Stage, patience: float = PATIENCE_SECONDS) -> None:
    """StackError where the stack that is said to run gives no answer: no story waits a minute a step to find that out."""
    deadline = time.monotonic() + patience
    while silent := [url for url in stage.urls.values() if not is_listening(int(url.rpartition(":")[2]))]:
        if time.monotonic() > deadline:
            raise StackError(
                f"no stack answers at {', '.join(silent)}: see dw status, or dw down and start one"
            )
        time.sleep(POLL_SECONDS)


def _needs_model(stories: Sequence[Story], features: frozenset[str] | None) -> bool:
    """Whether a step that is played says what the model answers."""
    return any(
        getattr(step.step, "model", None) is not None and (features is None or set(step.needs) <= features)
        for story in stories
        if features is None or set(story.needs) <= features
        for step in story.steps
    )
