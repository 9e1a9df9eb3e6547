"""dw run, up: the stack in this process, or in one of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from dw_cli.commands import INTERRUPTED
from dw_cli.demo import demo
from dw_cli.local import console, fail, running
from dw_devstack.demo import play
from dw_devstack.errors import StackError
from dw_devstack.paths import Home
from dw_devstack.process_table import ProcessId, end
from dw_devstack.progress import Lines
from dw_devstack.stack import Stack
from dw_devstack.state import read_state

STOP_SECONDS = 60.0
START_SECONDS = 300.0


def run(
    once: Annotated[bool, typer.Option(help="End after the demo, with its exit status.")] = False,
) -> None:
    """Start everything, play the demo, and stay up until Ctrl-C."""
    home = Home.locate()
    if read_state(home) is not None:
        demo()
    console.print("Starting Kafka, PostgreSQL and seven services:")
    raise typer.Exit(min(_foreground(home, with_demo=True, stay=not once), INTERRUPTED))


def up(
    detach: Annotated[
        bool, typer.Option("-d", "--detach", help="Come back when everything is ready.")
    ] = False,
) -> None:
    """Start Kafka, PostgreSQL and all services. Does nothing if they run."""
    home = Home.locate()
    if (state := read_state(home)) is not None:
        console.print(f"already up: panel at {state.addresses.url('panel')}")
        return
    if detach:
        _detached(home)
    else:
        raise typer.Exit(_foreground(home, with_demo=False, stay=True))


def _foreground(home: Home, *, with_demo: bool, stay: bool) -> int:
    """Up in this process; down at its end, also after Ctrl-C or SIGTERM. Gives the failed steps of the demo."""
    stopper = _Stopper()
    lines = Lines(console)
    up = False
    failed = 100 if with_demo else 0
    try:
        stack = Stack(home)
        with stack.running(lines.part):
            if with_demo:
                failed = asyncio.run(play(running().doors(), console, stays=stay))
            if stay:
                how = (
                    "Ctrl-C stops everything."
                    if sys.stdin.isatty()
                    else "Ctrl-C or .venv/bin/dw down stops everything."
                )
                console.print(f"\nUp. Panel: {stack.addresses.url('panel')}   {how}")
                up = True
                signal.pause()
            stopper.armed = False
    except StackError as error:
        raise fail(str(error)) from None
    except _Interrupted:
        failed = failed if up else INTERRUPTED
    console.print("stopped; your data stays in " + str(home.root))
    return failed


class _Interrupted(BaseException):
    """Somebody wants the stack to stop."""


class _Stopper:
    """The first signal ends what is being done, and says so at once; further ones cannot disturb the stopping."""

    def __init__(self) -> None:
        self.armed = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)

    def _interrupt(self, *_: object) -> None:
        if self.armed:
            self.armed = False
            os.write(1, b"\nstopping\n")  # not print: it may be in the middle of another line
            raise _Interrupted


def _detached(home: Home) -> None:
    home.create()
    log = home.log("supervisor")
    started = log.stat().st_size if log.exists() else 0
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dw_cli.main", "up"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd=Path.cwd(),
        )
    try:
        _shown_until_up(process, home, started)
    except KeyboardInterrupt:
        if (child := ProcessId.of(process.pid)) is not None:
            end(child, signal.SIGTERM, STOP_SECONDS)
        raise


def _shown_until_up(process: subprocess.Popen[bytes], home: Home, shown: int) -> None:
    """What the starting process says from byte `shown` of its log on, until it is up. An end with status 1 if it is not."""
    log = home.log("supervisor")
    began = shown
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        ended = process.poll() is not None
        with log.open("rb") as file:
            file.seek(shown)
            text = file.read()
        shown += len(text)
        sys.stdout.write(text.decode("utf-8", "replace"))
        sys.stdout.flush()
        if b"stops everything." in text:
            return
        if ended:
            if (state := read_state(home)) is not None:  # somebody else is starting it at this moment
                console.print(f"already starting: panel at {state.addresses.url('panel')}, see dw status")
                return
            if shown > began:  # it said why
                raise typer.Exit(1)
            raise fail(f"the stack did not come up: see {log}")
        time.sleep(0.2)
    raise fail(f"the stack is not up after {START_SECONDS:.0f} s: see {log}")
