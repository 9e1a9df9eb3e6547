"""Ports that stacks have promised to their parts: of two that start at the same time, each takes others.

Between choosing a port and listening there pass seconds, and in them the port looks free. So who chooses one holds a lock
on a file of its number; the kernel drops it with the process, however that ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import weakref
from pathlib import Path


class PortClaims:
    """`folder` is shared by all stacks of this user on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[int, int] = {}
        weakref.finalize(self, _drop, folder, self._held)

    def claim(self, port: int) -> bool:
        """Whether it is ours from now on; False where another stack, or this one, has promised it."""
        if port in self._held:
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / str(port)
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
                return False
            if os.fstat(descriptor).st_nlink:
                self._held[port] = descriptor
                return True
            os.close(descriptor)  # its holder has let go of it in this moment: the file is another one now

    def release(self, *ports: int) -> None:
        """These, or all of them."""
        _drop(self._folder, self._held, *ports)


def _drop(folder: Path, held: dict[int, int], *ports: int) -> None:
    for port in ports or tuple(held):
        descriptor = held.pop(port)
        with contextlib.suppress(FileNotFoundError):
            (folder / str(port)).unlink()
        os.close(descriptor)
