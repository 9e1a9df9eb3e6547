"""What a running stack writes about itself, and how others read it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass

from dw_devstack.paths import Home
from dw_devstack.process_table import ProcessId
from dw_devstack.product import Addresses


@dataclass(frozen=True, slots=True)
class State:
    """What is written for `dw status`, `dw down` and everybody who wants to talk to the stack."""

    supervisor: int
    supervisor_started: float
    kafka: str
    postgres_port: int
    ports: dict[str, int]
    children: dict[str, tuple[int, float]]

    @property
    def addresses(self) -> Addresses:
        return Addresses(self.kafka, self.postgres_port, self.ports)

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the parts that ran when this was written."""
        return {name: pid for name, (pid, _) in self.children.items()}

    @property
    def owner(self) -> ProcessId:
        """The supervising process; its start time tells a recycled id."""
        return ProcessId(self.supervisor, self.supervisor_started)


def load_state(home: Home) -> State | None:
    """What the last supervisor of this state folder wrote, whether or not it still runs."""
    with suppress(FileNotFoundError, json.JSONDecodeError, TypeError):
        return State(**json.loads(home.state_file.read_text("utf-8")))
    return None


def read_state(home: Home) -> State | None:
    """The running stack of this state folder, if there is one."""
    state = load_state(home)
    return state if state is not None and state.owner.alive else None
