"""Tiny Python processes for the tests, and looking at processes from outside."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from dw_devstack.child import Child, Command
from dw_devstack.process_table import ProcessId

FOREVER = "import time\nwhile True: time.sleep(60)"
POLITE = (
    "import pathlib, signal, sys, time\n"
    "def bye(*_):\n    pathlib.Path(sys.argv[1]).write_text('said goodbye')\n    sys.exit(0)\n"
    "signal.signal(signal.SIGTERM, bye)\nprint('ready', flush=True)\nwhile True: time.sleep(60)"
)
STUBBORN = (
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('ready', flush=True)\n"
    "while True: time.sleep(60)"
)
PARENT = (
    "import subprocess, sys, time\n"
    "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid, flush=True)\n"
    "while True: time.sleep(60)"
)


def child(
    folder: Path, code: str, *arguments: str, name: str = "tiny", env: Mapping[str, str] = os.environ
) -> Child:
    return Child(name, Command([sys.executable, "-c", code, *arguments], env), folder / f"{name}.log")


def eventually(condition: Callable[[], object], timeout: float = 40.0) -> None:
    """Poll until true; an AssertionError if it never is."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def printed(process: Child) -> str:
    return process.log.read_text() if process.log.exists() else ""


def gone(pid: int) -> bool:
    identity = ProcessId.of(pid)
    return identity is None or not identity.alive
