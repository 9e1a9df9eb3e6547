"""Errands for whoever runs the stack: a file in its private folder asks for a restart, so that another process of the
same user (dw play) can have one without the backoff that a crash costs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Final

from dw_devstack.errors import StackError
from dw_devstack.paths import Home, write_private

POLL: Final = 0.05
PREFIX: Final = "restart."


class Errands:
    """The supervisor's side: does what is asked until it is closed."""

    def __init__(self, home: Home, restart: Callable[[str], None]) -> None:
        self._home = home
        self._restart = restart
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="errands", daemon=True)

    def open(self) -> None:
        """What an earlier stack was asked for is void."""
        for left in self._home.run.glob(f"{PREFIX}*"):
            left.unlink(missing_ok=True)
        self._thread.start()

    def close(self) -> None:
        """Returns when nothing is being done any more."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        while not self._closed.wait(POLL):
            for asked in sorted(self._home.run.glob(f"{PREFIX}*")):
                self._restart(asked.name.removeprefix(PREFIX))
                asked.unlink(missing_ok=True)


def ask_restart(home: Home, names: Iterable[str], seconds: float = 60.0) -> None:
    """Have the running stack kill these parts and start them anew; returns when they are started, not ready."""
    asked = [home.run / f"{PREFIX}{name}" for name in names]
    for path in asked:
        write_private(path, "")
    deadline = time.monotonic() + seconds
    while left := [path.name.removeprefix(PREFIX) for path in asked if path.exists()]:
        if time.monotonic() > deadline:
            raise StackError(f"nobody restarted {', '.join(left)} within {seconds:.0f} s")
        time.sleep(POLL)
