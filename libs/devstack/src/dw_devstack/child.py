"""One child process with a log file of its own: started, asked to stop, killed, started again."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Final

from dw_devstack import process_table
from dw_devstack.errors import StartError
from dw_devstack.leash import Leash
from dw_devstack.logfiles import rotate, tail
from dw_devstack.paths import PRIVATE_FILE
from dw_devstack.process_table import ProcessId

POLL: Final = 0.05
NOBODY: Final = 65534


@cache
def process_leash() -> Leash:
    """The leash of this process: one guard serves all its children. Whatever is left at exit ends with it."""
    leash = Leash()
    atexit.register(leash.release)
    return leash


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. `env` is the whole environment; `as_nobody` drops root's rights."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    cwd: Path | None = None
    stop_signal: int = signal.SIGTERM
    as_nobody: bool = False


class Child:
    """Runs in a session of its own, so that a Ctrl-C at the terminal reaches its parent alone, which then stops the
    parts in order. Safe to use from several threads."""

    def __init__(self, name: str, command: Command, log: Path) -> None:
        self.name = name
        self.command = command
        self.log = log
        self.returncode: int | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self._identity: ProcessId | None = None
        self._lock = threading.RLock()
        self._retired = False

    @property
    def running(self) -> bool:
        return self._poll() is not None

    @property
    def identity(self) -> ProcessId | None:
        """Process id and start time while it runs."""
        return self._poll()

    @property
    def pid(self) -> int | None:
        identity = self._poll()
        return identity.pid if identity else None

    @property
    def uptime(self) -> float:
        identity = self._poll()
        return max(0.0, time.time() - identity.started) if identity else 0.0

    def start(self) -> None:
        """Start it unless it runs already; its output is appended to the log. Nothing once it was retired."""
        with self._lock:
            if self._retired or self._poll() is not None:
                return
            self.log.parent.mkdir(parents=True, exist_ok=True)
            rotate(self.log)
            user = NOBODY if self.command.as_nobody else None
            descriptor = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
            try:
                self._popen = subprocess.Popen(
                    list(self.command.argv),
                    env=process_leash().attach(self.command.env, self.command.stop_signal),
                    cwd="/" if self.command.as_nobody else self.command.cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=descriptor,
                    stderr=descriptor,
                    start_new_session=True,
                    user=user,
                    group=user,
                    extra_groups=[] if self.command.as_nobody else None,
                )
            finally:
                os.close(descriptor)
            self.returncode = None
            self._identity = ProcessId.of(self._popen.pid)

    def stop(self, timeout: float = 20.0) -> bool:
        """Ask it to end and wait; after `timeout` seconds kill it. True if it went by itself."""
        with self._lock:
            identity = self._poll()
            if identity is None:
                return True
            tree = identity.tree()
            identity.send(self.command.stop_signal)
            willing = self.wait(timeout) is not None
            process_table.kill(tree)
            self.wait(5.0)
            return willing

    def retire(self, timeout: float = 20.0) -> bool:
        """Stop it, and let nobody start it again: also a thread that is about to does not."""
        self._retired = True
        return self.stop(timeout)

    def kill9(self) -> None:
        """SIGKILL to it and all its children, as a crash of the machine's kind would; returns when they are gone."""
        with self._lock:
            identity = self._poll()
            if identity is not None:
                process_table.kill(identity.tree())
                self.wait(5.0)

    def wait(self, timeout: float) -> int | None:
        """Its exit status, or None if it still runs after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while self.running and time.monotonic() < deadline:
            time.sleep(POLL)
        return None if self.running else self.returncode

    def wait_ready(self, ready: Callable[[], bool], timeout: float) -> None:
        """Poll until `ready`; StartError with the end of the log if it ends before, or is not ready in time."""
        deadline = time.monotonic() + timeout
        while not ready():
            if not self.running:
                raise self.failure(f"{self.name} ended with exit status {self.returncode} while starting")
            if time.monotonic() > deadline:
                raise self.failure(f"{self.name} was not ready within {timeout:.0f} s")
            time.sleep(POLL)

    def failure(self, reason: str) -> StartError:
        return StartError(f"{reason}. The end of {self.log}:\n{indent(tail(self.log, 15), '  ')}")

    def _poll(self) -> ProcessId | None:
        popen = self._popen
        if popen is None:
            return None
        status = popen.poll()
        if status is None:
            return self._identity
        self.returncode = status
        return None
