"""Nothing outlives the process that started it, however that one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from libs.devstack.tests.tiny import PARENT, POLITE, eventually, gone

OWNER = """
import signal, sys, time
from pathlib import Path
from dw_devstack.child import Child, Command
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have told it to be ignored
folder = Path(sys.argv[1])
polite = Child("polite", Command([sys.executable, "-c", sys.argv[2], str(folder / "note")]), folder / "polite.log")
parent = Child("parent", Command([sys.executable, "-c", sys.argv[3]]), folder / "parent.log")
polite.start(); parent.start()
while not (folder / "polite.log").read_text() or not (folder / "parent.log").read_text(): time.sleep(0.02)
print(polite.pid, parent.pid, (folder / "parent.log").read_text().strip(), flush=True)
sys.stdin.read()
"""


def owner(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A process with two children and a grandchild; their ids."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder), POLITE, PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == 3
    assert not any(map(gone, pids))
    return process, pids


def close(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    process.stdout.close()
    process.wait()


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_all_descendants_end_with_their_owner(tmp_path: Path, way: int) -> None:
    process, pids = owner(tmp_path)
    os.kill(process.pid, way)
    eventually(lambda: all(map(gone, pids)))
    close(process)


def test_they_are_asked_before_they_are_killed(tmp_path: Path) -> None:
    process, pids = owner(tmp_path)
    process.kill()
    eventually(lambda: all(map(gone, pids)))
    close(process)
    assert (tmp_path / "note").read_text() == "said goodbye"


def test_an_owner_that_just_ends_leaves_nothing_either(tmp_path: Path) -> None:
    process, pids = owner(tmp_path)
    close(process)
    assert all(map(gone, pids)), "at exit the owner waits for its children"


def test_the_guard_itself_goes(tmp_path: Path) -> None:
    process, _ = owner(tmp_path)
    mark = f"{process.pid}-".encode()
    process.kill()
    close(process)
    eventually(lambda: not _guards(mark))


def _guards(token: bytes) -> list[bytes]:
    listed = subprocess.run(["ps", "-axww", "-o", "command="], capture_output=True, check=True).stdout
    return [line for line in listed.splitlines() if b"dw_devstack.leash " + token in line]
