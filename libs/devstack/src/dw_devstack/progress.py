"""One line a part: what it does now and how long it has been at it. Plain lines where nobody watches a terminal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rich.console import Console

from dw_devstack.jars import Report


class Lines:
    """Prints a line whenever a part has something new to say. Safe to use from several threads."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._started: dict[str, float] = {}

    def part(self, name: str) -> Report:
        """The report of one part."""
        self._started.setdefault(name, time.monotonic())

        def report(text: str) -> None:
            took = time.monotonic() - self._started[name]
            with self._lock:
                self._console.print(f"  {name:<10} {took:5.1f} s  {text}", highlight=False, markup=False)

        return report


Progress = Callable[[str], Report]
