"""Keeps child processes up: what crashes comes back after a growing wait, what was told to stop stays down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import httpx

from dw_devstack.child import Child
from dw_devstack.jars import Report, silent

WATCH_SECONDS: Final = 0.1
FIRST_BACKOFF: Final = 0.5
LONGEST_BACKOFF: Final = 15.0
CALM_SECONDS: Final = 30.0
STOP_TIMEOUT: Final = 15.0
READY_TIMEOUT: Final = 90.0
CRASHES: Final = 3
REFUSED: Final = 2
"""Exit status of a process that refuses its settings: starting it again would not help."""


@dataclass(frozen=True, slots=True)
class Status:
    """One process as it is now; `pid` is None while it does not run."""

    name: str
    pid: int | None
    uptime: float
    restarts: int
    wanted: bool


@dataclass(slots=True)
class _Part:
    child: Child
    wanted: bool = False
    restarts: int = 0
    backoff: float = FIRST_BACKOFF
    due: float | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)


class Supervisor:
    """Safe to use from several threads. `changed` is called after a process has come or gone."""

    def __init__(
        self, changed: Callable[[], None] = lambda: None, first_backoff: float = FIRST_BACKOFF
    ) -> None:
        self._changed = changed
        self._first_backoff = first_backoff
        self._parts: dict[str, _Part] = {}
        self._closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def adopt(self, child: Child) -> None:
        """Watch this child from now on; started if it does not run yet."""
        part = _Part(child, backoff=self._first_backoff)
        self._parts[child.name] = part
        self._bring_up(part)
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, name="watch", daemon=True)
            self._watcher.start()

    def start(self, name: str) -> None:
        """Start it at once, and keep it up."""
        self._bring_up(self._parts[name])

    def stop(self, name: str, timeout: float = STOP_TIMEOUT) -> None:
        """SIGTERM first, -9 after `timeout` seconds; it stays down."""
        part = self._parts[name]
        part.wanted = False
        with part.lock:
            part.child.stop(timeout)
        self._changed()

    def restart(self, name: str, timeout: float = STOP_TIMEOUT, *, hard: bool = False) -> None:
        """Down and up at once, without backoff; `hard` kills it with -9."""
        part = self._parts[name]
        with part.lock:
            if hard:
                part.child.kill9()
            else:
                part.child.stop(timeout)
            part.restarts += 1
            self._bring_up(part)

    def kill9(self, name: str, *, stay_down: bool = False) -> None:
        """As in a crash. It comes back after its backoff, unless told to stay down until `start`."""
        part = self._parts[name]
        with part.lock:
            part.wanted = part.wanted and not stay_down
            part.child.kill9()
        self._changed()

    def status(self) -> tuple[Status, ...]:
        return tuple(
            Status(name, part.child.pid, part.child.uptime, part.restarts, part.wanted)
            for name, part in self._parts.items()
        )

    def wait_ready(
        self, name: str, url: str, report: Report = silent, timeout: float = READY_TIMEOUT
    ) -> None:
        """Wait until GET `url` answers 200. StartError with the end of the log if it does not in time, or early if
        the process refuses its settings or crashes again and again."""
        part = self._parts[name]
        restarts = part.restarts
        deadline = time.monotonic() + timeout
        said = ""
        while (why_not := _why_not_ready(url)) is not None:
            if part.child.returncode == REFUSED and not part.child.running:
                raise part.child.failure(f"{name} refused to start")
            if part.restarts - restarts >= CRASHES and not part.child.running:
                raise part.child.failure(f"{name} crashes again and again")
            if time.monotonic() > deadline:
                raise part.child.failure(f"{name} was not ready within {timeout:.0f} s ({why_not})")
            if why_not != said:
                said = why_not
                report(f"waiting: {why_not}")
            time.sleep(WATCH_SECONDS)

    def close(self, timeout: float = STOP_TIMEOUT) -> None:
        """Stop all at the same time, and stop watching."""
        self._closed.set()
        stoppers = [threading.Thread(target=self.stop, args=(name, timeout)) for name in self._parts]
        for thread in stoppers:
            thread.start()
        for thread in stoppers:
            thread.join()
        if self._watcher is not None:
            self._watcher.join()

    def _bring_up(self, part: _Part) -> None:
        with part.lock:
            part.wanted = True
            part.due = None
            if not self._closed.is_set():
                part.child.start()
        self._changed()

    def _watch(self) -> None:
        while not self._closed.wait(WATCH_SECONDS):
            for part in tuple(self._parts.values()):
                if part.lock.acquire(blocking=False):  # held: somebody is at this one already
                    try:
                        came_back = self._look_after(part)
                    finally:
                        part.lock.release()
                    if came_back:
                        self._changed()

    def _look_after(self, part: _Part) -> bool:
        """Whether it was started again just now."""
        if not part.wanted:
            return False
        if part.child.running:
            if part.child.uptime > CALM_SECONDS:
                part.backoff = self._first_backoff
            return False
        now = time.monotonic()
        if part.due is None:
            part.due = now + part.backoff
            part.backoff = min(LONGEST_BACKOFF, part.backoff * 2)
        if now < part.due or self._closed.is_set():
            return False
        part.due = None
        part.restarts += 1
        part.child.start()
        return True


def _why_not_ready(url: str) -> str | None:
    """None if it is ready, else its own reasons or that nothing answers yet."""
    try:
        answer = httpx.get(url, timeout=5.0)
    except httpx.HTTPError:
        return "no answer yet"
    if answer.status_code == httpx.codes.OK:
        return None
    try:
        return "; ".join(str(reason) for reason in answer.json()["reasons"]) or "not ready"
    except (ValueError, LookupError, TypeError):
        return f"answers {answer.status_code}"
