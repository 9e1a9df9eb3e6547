"""dw run, up, down, status, logs, config."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import httpx
import typer
from rich.table import Table

from dw_cli.local import Local, console, fail, running
from dw_contracts.settings import ALL
from dw_contracts.variables import example_file
from dw_devstack.demo import play
from dw_devstack.errors import StackError
from dw_devstack.logfiles import tail
from dw_devstack.paths import Home
from dw_devstack.process_table import end
from dw_devstack.product import Product
from dw_devstack.progress import Lines
from dw_devstack.stack import Stack
from dw_devstack.state import read_state

STOP_SECONDS = 60.0
START_SECONDS = 300.0


def register(app: typer.Typer) -> None:
    """Mount the commands."""
    app.command("run")(run)
    app.command("up")(up)
    app.command("down")(down)
    app.command("status")(status)
    app.command("logs")(logs)
    app.command("config")(config)


def run(
    once: Annotated[bool, typer.Option(help="End after the demo, with its exit status.")] = False,
) -> None:
    """Start everything, play the demo, and stay up until Ctrl-C."""
    home = Home.locate()
    if read_state(home) is not None:
        raise SystemExit(asyncio.run(play(running().doors(), console)))
    console.print(
        "Starting Kafka, PostgreSQL and seven services (the first time downloads about 45 MB of jars):"
    )
    failed = _foreground(home, demo=True, stay=not once)
    raise SystemExit(min(failed, 100))


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
        _foreground(home, demo=False, stay=True)


def down() -> None:
    """Stop everything. Nothing runs afterwards, and nothing is lost."""
    home = Home.locate()
    state = read_state(home)
    if state is None:
        console.print("nothing is running")
        return
    end(state.owner, signal.SIGTERM, STOP_SECONDS)
    console.print("stopped")


def status() -> None:
    """What runs, where, and whether it is ready."""
    local = running()
    where = local.state.addresses
    table = Table("part", "pid", "address", "state", box=None, pad_edge=False)
    table.add_row("kafka", str(local.state.pids.get("kafka", "")), where.kafka, _listening(where.kafka))
    postgres = f"127.0.0.1:{where.postgres_port}"
    table.add_row("postgres", str(local.state.pids.get("postgres", "")), postgres, _listening(postgres))
    ready = True
    for cls in ALL:
        text, ok = _readiness(where.url(cls.service))
        ready = ready and ok
        table.add_row(cls.service, str(local.state.pids.get(cls.service, "")), where.url(cls.service), text)
    console.print(table)
    if not ready:
        raise typer.Exit(1)


def _listening(address: str) -> str:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2.0).close()
    except OSError as error:
        return f"no answer ({type(error).__name__})"
    return "listening"


def _readiness(url: str) -> tuple[str, bool]:
    try:
        answer = httpx.get(url + "/health/ready", timeout=10.0).json()
    except (httpx.HTTPError, ValueError) as error:
        return f"no answer ({type(error).__name__})", False
    return ("ready", True) if answer["ready"] else ("; ".join(answer["reasons"]), False)


def logs(
    service: str,
    follow: Annotated[bool, typer.Option("-f", help="Go on as lines come.")] = False,
    lines: Annotated[int, typer.Option("-n", help="Lines of the end.")] = 50,
) -> None:
    """The log of a service, of kafka or of postgres."""
    path = Home.locate().log(service)
    if not path.exists():
        raise fail(
            f"no log of {service!r}: known are {', '.join(sorted(p.stem for p in path.parent.glob('*.log')))}"
        )
    sys.stdout.write(tail(path, lines) + "\n")
    with path.open("rb") as file:
        file.seek(0, 2)
        while follow:
            chunk = file.read()
            sys.stdout.write(chunk.decode("utf-8", "replace"))
            sys.stdout.flush()
            time.sleep(0.2)


def config(
    what: Annotated[str, typer.Argument(help="env: the running stack's; example: every variable.")] = "env",
) -> None:
    """The environment of the stack as one file that serves every process. `env` holds secrets."""
    if what not in ("env", "example"):
        raise fail(f"there is no config {what!r}: env and example are", code=2)
    if what == "example":
        sys.stdout.write(example_file())
        return
    local: Local = running()
    sys.stdout.write(Product(local.home).environment_file(local.state.addresses))


def _foreground(home: Home, *, demo: bool, stay: bool) -> int:
    """Up in this process; down at its end, also after Ctrl-C or SIGTERM. Gives the failed steps of the demo."""
    armed = [True]

    def interrupt(*_: object) -> None:
        """The first signal ends what is being done; further ones cannot disturb the stopping."""
        if armed[0]:
            armed[0] = False
            raise _Interrupted

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    lines = Lines(console)
    failed = 100 if demo else 0
    try:
        stack = Stack(home)
        with stack.running(lines.part):
            if demo:
                failed = asyncio.run(play(running().doors(), console, stays=stay))
            if stay:
                how = (
                    "Ctrl-C stops everything."
                    if sys.stdin.isatty()
                    else "Ctrl-C or .venv/bin/dw down stops everything."
                )
                console.print(f"\nUp. Panel: {stack.addresses.url('panel')}   {how}")
                signal.pause()
            armed[0] = False
    except StackError as error:
        raise fail(str(error)) from None
    except _Interrupted:
        pass
    console.print("stopped; your data stays in " + str(home.root))
    return failed


class _Interrupted(BaseException):
    """Somebody wants the stack to stop."""


def _detached(home: Home) -> None:
    home.create()
    log = home.log("supervisor")
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dw_cli.main", "up"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd=Path.cwd(),
        )
    started = log.stat().st_size
    deadline = time.monotonic() + START_SECONDS
    shown = started
    while time.monotonic() < deadline:
        with log.open("rb") as file:
            file.seek(shown)
            text = file.read()
        shown += len(text)
        sys.stdout.write(text.decode("utf-8", "replace"))
        sys.stdout.flush()
        if b"stops everything." in text:
            return
        if process.poll() is not None:
            if (state := read_state(home)) is not None:  # somebody else is starting it at this moment
                console.print(f"already starting: panel at {state.addresses.url('panel')}, see dw status")
                return
            raise fail(f"the stack did not come up: see {log}")
        time.sleep(0.2)
    raise fail(f"the stack is not up after {START_SECONDS:.0f} s: see {log}")
