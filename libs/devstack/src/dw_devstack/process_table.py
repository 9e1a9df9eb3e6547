"""Other processes: who they are, and ending them without ever hitting a stranger that got a recycled id."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import psutil  # type: ignore[import-untyped]  # ships no types

POLL: Final = 0.05
SAME: Final = 0.05


@dataclass(frozen=True, slots=True)
class ProcessId:
    """A process id together with the time its process began: only both together name one process."""

    pid: int
    started: float

    @classmethod
    def of(cls, pid: int) -> ProcessId | None:
        try:
            return cls(pid, psutil.Process(pid).create_time())
        except psutil.NoSuchProcess:
            return None

    @property
    def alive(self) -> bool:
        """Whether that very process still runs; a zombie does not."""
        try:
            process = psutil.Process(self.pid)
            same = abs(float(process.create_time()) - self.started) < SAME
            return same and process.status() != str(psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False

    def send(self, number: int) -> None:
        """Signal it, if it is still the same process."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def tree(self) -> list[ProcessId]:
        """Itself and all that descend from it, taken before a kill orphans them."""
        if not self.alive:
            return []
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.pid).children(recursive=True)
            return [self, *(ProcessId(child.pid, child.create_time()) for child in children)]
        return [self]


def with_variable(name: str, value: str) -> list[tuple[ProcessId, str]]:
    """The processes whose environment has `name` beginning with `value`, and the whole value."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            held = process.environ().get(name, "")
            if held.startswith(value) and process.pid != os.getpid():
                found.append((ProcessId(process.pid, process.create_time()), held))
    return found


def wait_gone(processes: Iterable[ProcessId], timeout: float) -> list[ProcessId]:
    """Wait until all have ended; what is left after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    left = [process for process in processes if process.alive]
    while left and time.monotonic() < deadline:
        time.sleep(POLL)
        left = [process for process in left if process.alive]
    return left


def end(process: ProcessId, number: int, timeout: float) -> None:
    """Ask with signal `number`; after `timeout` seconds kill what is left of its tree."""
    tree = process.tree()
    process.send(number)
    wait_gone([process], timeout)
    kill(tree)


def kill(tree: Iterable[ProcessId]) -> None:
    """SIGKILL each and wait until the system has let go of it."""
    killed = list(tree)
    for process in killed:
        process.send(signal.SIGKILL)
    wait_gone(killed, 5.0)
