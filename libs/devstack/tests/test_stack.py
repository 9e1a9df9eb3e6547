"""The stack without services: one owner, ports that give way, nothing left behind."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from dw_contracts.settings import ALL
from dw_devstack.errors import AlreadyRunning, StackError
from dw_devstack.jars import Report
from dw_devstack.paths import Home
from dw_devstack.ports import LOOPBACK, any_port
from dw_devstack.process_table import ProcessId
from dw_devstack.stack import Stack, StackOptions
from dw_devstack.state import read_state
from libs.devstack.tests.tiny import eventually, gone

BARE = StackOptions(any_ports=True, fast=True, services=())
OWNER = """
import sys
from pathlib import Path
from dw_devstack.paths import Home
from dw_devstack.stack import Stack, StackOptions
with Stack(Home(Path(sys.argv[1])), StackOptions(any_ports=True, fast=True, services=())).running(lambda name: lambda text: None):
    print("up", flush=True)
    sys.stdin.read()
"""


def quiet(_: str) -> Report:
    return lambda text: None


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / ".dw").create()


def test_a_state_folder_has_one_owner(home: Home) -> None:
    with home.lock_file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(AlreadyRunning, match="dw down"), Stack(home, BARE).running(quiet):
            pass


def test_the_state_of_a_dead_supervisor_is_no_state(home: Home) -> None:
    me = ProcessId.of(os.getpid())
    assert me is not None
    state = {"kafka": "127.0.0.1:1", "postgres_port": 2, "ports": {}, "children": {}, "supervisor": me.pid}
    home.state_file.write_text(json.dumps({**state, "supervisor_started": me.started - 50}))
    assert read_state(home) is None
    home.state_file.write_text(json.dumps({**state, "supervisor_started": me.started}))
    assert read_state(home) is not None


def test_taken_ports_give_way_and_none_is_given_twice(home: Home) -> None:
    default = any_port()
    with socket.create_server((LOOPBACK, default)):
        stack = Stack(home, StackOptions(kafka_port=default, postgres_port=default + 1))
    where = stack.addresses
    kafka = int(where.kafka.rpartition(":")[2])
    assert kafka > default
    chosen = [kafka, where.postgres_port, *where.ports.values()]
    assert len(set(chosen)) == len(chosen)


@pytest.mark.parametrize("stranger", ["postgres", "kafka"])
def test_only_the_part_whose_port_is_taken_moves_and_it_is_said(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stranger: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # other stacks of this machine are no strangers here
    kafka, postgres = any_port(), any_port()
    usual = {"kafka": kafka, "kafka's controller": kafka + 1, "postgres": postgres}
    with socket.create_server((LOOPBACK, usual[stranger])):
        stack = Stack(home, StackOptions(kafka_port=kafka, postgres_port=postgres))
    where = stack.addresses
    found = {"kafka": int(where.kafka.rpartition(":")[2]), "postgres": where.postgres_port}
    said = [line for line in stack.moved if line.split(" is taken: ")[1].split(" is at ")[0] in usual]
    assert said == [f"{usual[stranger]} is taken: {stranger} is at {found[stranger]}"]
    assert found[stranger] not in {*usual.values(), *(cls.default_port for cls in ALL)}
    other = "kafka" if stranger == "postgres" else "postgres"
    assert found[other] == usual[other]


def test_a_service_gives_way_to_a_stranger_and_takes_no_other_services_port(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its neighbours keep theirs, but for those that strangers hold as well."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    defaults = {cls.service: cls.default_port for cls in ALL}
    with ExitStack() as held:
        for service in ("ingest", "panel"):
            with suppress(OSError):  # a stranger of this machine holds it
                held.enter_context(socket.create_server((LOOPBACK, defaults[service])))
        stack = Stack(home, StackOptions(kafka_port=any_port(), postgres_port=any_port()))
    ports = stack.addresses.ports
    moved = {service for service in ports if ports[service] != defaults[service]}
    assert {"ingest", "panel"} <= moved
    assert not {ports[service] for service in moved} & set(defaults.values())
    for service in moved:
        assert f"{defaults[service]} is taken: {service} is at {ports[service]}" in stack.moved


def test_two_stacks_that_start_at_once_promise_themselves_different_ports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    default = any_port()
    options = StackOptions(kafka_port=default, postgres_port=default + 2)
    stacks = [Stack(Home(tmp_path / name).create(), options) for name in ("a", "b")]
    where = [stack.addresses for stack in stacks]
    chosen = [
        port
        for one in where
        for port in (one.kafka, f"127.0.0.1:{one.postgres_port}", *map(str, one.ports.values()))
    ]
    assert len(set(chosen)) == len(chosen)


def test_a_stack_of_which_nothing_started_says_nothing_of_stopping(home: Home) -> None:
    said: list[tuple[str, str]] = []
    stack = Stack(
        home, StackOptions(any_ports=True, overrides={"DW_POLICY_NO_SUCH": "1"}, services=("policy",))
    )
    with (
        pytest.raises(StackError, match="DW_POLICY_NO_SUCH"),
        stack.running(lambda name: lambda text: said.append((name, text))),
    ):
        pass
    assert said == []


@pytest.fixture
def owned(home: Home) -> Iterator[subprocess.Popen[str]]:
    """Another process that owns a stack on `home`."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(home.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "up\n"
    yield process
    process.stdin.close()
    process.wait()
    process.stdout.close()


@pytest.mark.integration
def test_nothing_outlives_a_supervisor_that_is_killed_and_its_data_do(
    home: Home, owned: subprocess.Popen[str]
) -> None:
    state = read_state(home)
    assert state is not None
    assert set(state.pids) == {"kafka", "postgres"}
    os.kill(owned.pid, signal.SIGKILL)
    eventually(lambda: all(map(gone, state.pids.values())), timeout=30)
    assert read_state(home) is None
    with Stack(home, BARE).running(quiet) as stack:
        made = stack.postgres.create_database("digital_worker")
    assert not made, "the database was there already"


@pytest.mark.integration
def test_where_a_port_is_lost_before_it_is_used_others_are_chosen(home: Home) -> None:
    said: list[str] = []
    stack = Stack(home, BARE)
    lost = stack.addresses.postgres_port
    with socket.create_server((LOOPBACK, lost)), stack.running(lambda name: said.append):
        assert stack.addresses.postgres_port != lost
        assert stack.postgres.create_database("again"), "it serves"
    assert any(f"{lost} was taken" in text for text in said)


@pytest.mark.integration
def test_a_crashed_server_comes_back_on_its_port_and_down_leaves_nothing(home: Home) -> None:
    with Stack(home, BARE).running(quiet) as stack:
        before = {status.name: status.pid for status in stack.status()}
        for name in before:
            stack.kill9(name)
        eventually(lambda: all(status.pid for status in stack.status()))
        stack.postgres.wait_ready()
        stack.kafka.wait_ready()
        after = {status.name: status.pid for status in stack.status()}
        assert {status.name: status.restarts for status in stack.status()} == dict.fromkeys(before, 1)
        assert all(after[name] != before[name] for name in before)
        state = read_state(home)
        assert state is not None
        assert state.pids == after
    assert all(gone(pid) for pid in after.values() if pid is not None)
    assert read_state(home) is None
