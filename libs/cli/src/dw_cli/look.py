"""dw down, status, logs, config: the running stack from outside."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import sys
import time
from typing import Annotated

import typer

from dw_cli.local import console, fail, print_rows, running
from dw_contracts.settings import ALL
from dw_devstack.logfiles import tail
from dw_devstack.paths import Home
from dw_devstack.process_table import end
from dw_devstack.state import read_state

STOP_SECONDS = 60.0


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
    postgres = f"127.0.0.1:{where.postgres_port}"
    rows = [("kafka", where.kafka, _listening(where.kafka)), ("postgres", postgres, _listening(postgres))]
    ready = True
    for cls in ALL:
        text, ok = _readiness(where.url(cls.service))
        ready = ready and ok
        rows.append((cls.service, where.url(cls.service), text))
    pids = local.state.pids
    print_rows(
        ("part", "pid", "address", "state"),
        [(part, str(pids.get(part, "")), address, state) for part, address, state in rows],
    )
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
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10.0)
    try:
        connection.request("GET", "/health/ready")
        answer = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"no answer ({type(error).__name__})", False
    finally:
        connection.close()
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
        from dw_contracts.variables import example_file

        sys.stdout.write(example_file())
        return
    local = running()
    sys.stdout.write(local.product.environment_file(local.state.addresses))
