"""Things that a process holds while it runs: pools, clients."""

from __future__ import annotations

from typing import Generic, TypeVar

from dw_runtime.failures import Transient

T = TypeVar("T")


class Handle(Generic[T]):
    """A resource that exists while the process runs: `handle()` gives it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._value: T | None = None

    def __call__(self) -> T:
        """The resource. Raises Transient before it is there: the request or batch is tried again."""
        if self._value is None:
            raise Transient(f"{self.name} is not there yet")
        return self._value

    def set(self, value: T | None) -> None:
        """The chassis fills and empties it."""
        self._value = value
