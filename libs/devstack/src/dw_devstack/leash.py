"""Nothing outlives the process that started it, even when that one is killed with -9.

A guard process holds the reading end of a pipe whose writing end only its owner has. When the owner is gone the
pipe closes, and the guard ends every process that carries the owner's mark in its environment. A mark needs no
register that a crash could leave half-written, names no process by its number alone, and reaches what a child has
started in turn. (PR_SET_PDEATHSIG would follow the starting *thread*, and Linux alone has it.)
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping
from typing import Final

from dw_devstack import process_table

MARK: Final = "DIGITALWORKER_LEASH"  # not DW_…: services refuse DW_ variables that they do not know
GRACE: Final = 8.0


class Leash:
    """Marks the environment of children; its guard starts with the first of them."""

    def __init__(self) -> None:
        self._token = f"{os.getpid()}-{uuid.uuid4().hex}"
        self._guard: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def attach(self, environ: Mapping[str, str], stop_signal: int = signal.SIGTERM) -> dict[str, str]:
        """The environment to give to a child so that it ends with this process, by `stop_signal` first."""
        with self._lock:
            if self._guard is None or self._guard.poll() is not None:
                self._guard = subprocess.Popen(
                    [sys.executable, "-m", "dw_devstack.leash", self._token],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
        return {**environ, MARK: f"{self._token}:{int(stop_signal)}"}

    def release(self) -> None:
        """End what is still on the leash and the guard itself; a later `attach` starts a new guard."""
        with self._lock:
            if self._guard is None:
                return
            if self._guard.stdin is not None:
                self._guard.stdin.close()
            self._guard.wait()
            self._guard = None


def _guard(token: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    orphans = process_table.with_variable(MARK, f"{token}:")
    trees = [tree for process, _ in orphans for tree in process.tree()]
    for process, value in orphans:
        process.send(int(value.rpartition(":")[2]))
    process_table.kill(process_table.wait_gone(trees, GRACE))
    while late := process_table.with_variable(MARK, f"{token}:"):  # started while the owner was dying
        process_table.kill(process for process, _ in late)
        time.sleep(process_table.POLL)


if __name__ == "__main__":
    _guard(sys.argv[1])
