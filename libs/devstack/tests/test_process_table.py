"""Ending processes without ever hitting a stranger."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from dw_devstack.process_table import ProcessId, end, with_variable

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(SLEEP, env={**os.environ, "TEST_MARK": "abc:15"})
    yield process
    process.kill()
    process.wait()


def identity(process: subprocess.Popen[bytes]) -> ProcessId:
    found = ProcessId.of(process.pid)
    assert found is not None
    return found


def test_a_recycled_id_is_never_signalled(stranger: subprocess.Popen[bytes]) -> None:
    now = identity(stranger)
    before = ProcessId(now.pid, now.started - 100.0)
    end(before, signal.SIGTERM, 0.1)
    assert not before.alive
    assert now.alive


def test_the_very_process_is_ended(stranger: subprocess.Popen[bytes]) -> None:
    now = identity(stranger)
    end(now, signal.SIGTERM, 5.0)
    assert not now.alive


def test_a_zombie_counts_as_gone(stranger: subprocess.Popen[bytes]) -> None:
    now = identity(stranger)
    stranger.kill()
    os.waitid(os.P_PID, stranger.pid, os.WEXITED | os.WNOWAIT)
    assert not now.alive


def test_an_id_that_nobody_has_is_nobody() -> None:
    process = subprocess.Popen(SLEEP)
    process.kill()
    process.wait()
    assert ProcessId.of(process.pid) is None


def test_marked_processes_are_found_by_their_environment(stranger: subprocess.Popen[bytes]) -> None:
    assert with_variable("TEST_MARK", "abc:") == [(identity(stranger), "abc:15")]
    assert with_variable("TEST_MARK", "xyz:") == []
