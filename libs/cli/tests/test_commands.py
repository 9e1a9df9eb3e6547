"""The door itself: only what is asked for is imported, wrong variables and a Ctrl-C end in a line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dw_cli.commands import COMMANDS, load
from dw_cli.main import app
from dw_testkit.interrupts import heed_ctrl_c

HEAVY = (
    "dw_store",
    "dw_learning",
    "aiokafka",
    "sqlalchemy",
    "alembic",
    "psycopg",
    "confluent_kafka",
    "httpx",
    "dw_client",
)
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("DW_")}  # fmt: skip


def imported(tmp_path: Path, *arguments: str) -> set[str]:
    """The top modules that a `dw` of its own process had imported when it ended."""
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('IMPORTED', *{name.partition('.')[0] for name in sys.modules}))\n"
        "from dw_cli.start import main\n"
        f"sys.argv = ['dw', *{arguments!r}]\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, env=CLEAN, check=False
    )
    return set(done.stdout.rpartition("IMPORTED")[2].split())


def test_help_imports_no_part_of_the_product(tmp_path: Path) -> None:
    found = imported(tmp_path, "--help")
    assert "typer" in found
    assert not {"pydantic", *HEAVY} & found


@pytest.mark.parametrize("command", ["status", "down", "logs", "config"])
def test_looking_imports_no_client_of_kafka_or_postgres(tmp_path: Path, command: str) -> None:
    found = imported(tmp_path, command, *(["kafka"] if command == "logs" else []))
    assert "psutil" in found
    assert not (set(HEAVY) - {"dw_store"}) & found


def test_every_command_of_the_list_is_there_and_says_what_it_does() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    for name, place in COMMANDS.items():
        assert place.words in shown
        command: Any = load(name)
        assert command.name == name
        assert command.help


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_offers_to_install_completion(name: str) -> None:
    done = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "--help" in done.output
    assert "-completion" not in done.output


def test_a_command_that_there_is_not_is_said_so() -> None:
    done = CliRunner().invoke(app, ["stauts"])
    assert done.exit_code == 2
    assert "stauts" in done.output
    assert "status" in done.output


@pytest.mark.parametrize(
    "arguments",
    [["status"], ["dlq", "list"], ["apply", "x.yaml"], ["play", "x.yaml"], ["migrate"], ["up", "-d"], ["key", "list", "--org", "a"]],
    ids=lambda arguments: "-".join(arguments),
)  # fmt: skip
def test_a_variable_that_nothing_reads_stops_every_command_with_the_name_that_was_meant(
    arguments: list[str],
) -> None:
    done = CliRunner().invoke(app, arguments, env={"DW_HOMME": "/nowhere", "DW_FOO": "5"})
    assert done.exit_code == 2
    assert "DW_FOO is not a setting" in done.output
    assert "DW_HOMME is not a setting: did you mean DW_HOME?" in done.output


@contextmanager
def started(tmp_path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A `dw` of its own, ended with the test."""
    command = [sys.executable, "-c", "from dw_cli.start import main; main()", *arguments]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=CLEAN,
        preexec_fn=heed_ctrl_c,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_ctrl_c_while_it_imports_is_no_traceback(tmp_path: Path) -> None:
    """The module that is being imported when the signal comes stands for all of them."""
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    with started(tmp_path, "status") as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip() == "interrupted"


def test_ctrl_c_while_a_log_is_followed_is_one_line(tmp_path: Path) -> None:
    log = tmp_path / ".dw" / "logs" / "kafka.log"
    log.parent.mkdir(parents=True)
    log.write_text('{"event": "one"}\n')
    with started(tmp_path, "logs", "-f", "kafka") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == '{"event": "one"}\n', "as it stands in the log, not indented"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said.strip()) == (130, "interrupted")
