"""One line a part: what it does now and how long it has been at it. Plain lines, good in a terminal and in a CI log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rich.console import Console

from dw_devstack.jars import Report

PAUSE: Final = 2.0


@dataclass(slots=True)
class _Part:
    began: float
    said: float = 0.0
    doing: str = ""


class Lines:
    """Prints a line whenever a part has something new to say; while it goes on with the same thing (its text begins
    with the same word), a line every two seconds at most. Safe to use from several threads."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._lock = threading.Lock()
        self._parts: dict[str, _Part] = {}

    def part(self, name: str) -> Report:
        """The report of one part; its time runs from the first call of this."""
        part = self._parts.setdefault(name, _Part(self._clock()))

        def report(text: str) -> None:
            with self._lock:
                now, doing = self._clock(), text.partition(" ")[0]
                if doing == part.doing and now - part.said < PAUSE:
                    return
                part.doing, part.said = doing, now
                line = f"  {name:<10} {now - part.began:5.1f} s  {text}"
                self._console.print(line, highlight=False, markup=False, soft_wrap=True)

        return report


Progress = Callable[[str], Report]
