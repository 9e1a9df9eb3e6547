"""A child process: asked first, killed if it must be, and never left half-known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dw_devstack.errors import StartError
from libs.devstack.tests.tiny import FOREVER, PARENT, POLITE, STUBBORN, child, eventually, gone, printed


def test_output_is_appended_over_restarts_to_a_private_log(tmp_path: Path) -> None:
    process = child(tmp_path, "import sys; print('out'); print('err', file=sys.stderr)")
    for _ in range(2):
        process.start()
        assert process.wait(10) == 0
    assert sorted(printed(process).split()) == ["err", "err", "out", "out"]
    assert process.log.stat().st_mode & 0o777 == 0o600


def test_starting_a_running_child_changes_nothing(tmp_path: Path) -> None:
    process = child(tmp_path, FOREVER)
    process.start()
    pid = process.pid
    process.start()
    assert process.pid == pid
    process.kill9()


def test_stop_asks_and_waits(tmp_path: Path) -> None:
    process = child(tmp_path, POLITE, str(tmp_path / "note"))
    process.start()
    eventually(lambda: "ready" in printed(process))
    assert process.stop(10)
    assert (tmp_path / "note").read_text() == "said goodbye"
    assert (process.running, process.pid, process.returncode) == (False, None, 0)


def test_who_does_not_listen_is_killed(tmp_path: Path) -> None:
    process = child(tmp_path, STUBBORN)
    process.start()
    eventually(lambda: "ready" in printed(process))
    assert not process.stop(0.2)
    assert not process.running


@pytest.mark.parametrize("way", ["stop", "kill9"])
def test_grandchildren_go_too(tmp_path: Path, way: str) -> None:
    process = child(tmp_path, PARENT)
    process.start()
    eventually(lambda: printed(process).strip())
    grandchild = int(printed(process))
    assert not gone(grandchild)
    getattr(process, way)()
    eventually(lambda: gone(grandchild))


def test_a_ctrl_c_at_the_terminal_does_not_reach_it(tmp_path: Path) -> None:
    process = child(tmp_path, FOREVER)
    process.start()
    assert process.pid is not None
    assert os.getsid(process.pid) != os.getsid(0)
    process.kill9()


def test_ending_while_starting_is_told_with_the_end_of_the_log(tmp_path: Path) -> None:
    process = child(tmp_path, "import sys; print('the reason'); sys.exit(3)")
    process.start()
    with pytest.raises(StartError, match=r"(?s)exit status 3 while starting.*the reason"):
        process.wait_ready(lambda: False, 10)


def test_never_ready_is_told_in_time(tmp_path: Path) -> None:
    process = child(tmp_path, FOREVER)
    process.start()
    with pytest.raises(StartError, match="was not ready within 0 s"):
        process.wait_ready(lambda: False, 0.1)
    process.kill9()


def test_a_retired_child_stops_and_is_started_by_nobody(tmp_path: Path) -> None:
    """Whoever gives a start up must not race with the thread that is at it."""
    process = child(tmp_path, FOREVER)
    process.start()
    process.retire()
    assert not process.running
    process.start()
    assert not process.running
