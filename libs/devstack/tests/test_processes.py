"""The supervisor: crashes come back, what was told to stop stays down."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

from dw_devstack.child import Child, Command
from dw_devstack.errors import StartError
from dw_devstack.ports import any_port
from dw_devstack.processes import Status, Supervisor
from libs.devstack.tests.tiny import FOREVER, POLITE, child, eventually, printed


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    one = Supervisor(first_backoff=0.2)
    yield one
    one.close(5)


def only(supervisor: Supervisor) -> Status:
    (status,) = supervisor.status()
    return status


def test_a_crashed_process_comes_back_as_another(tmp_path: Path, supervisor: Supervisor) -> None:
    supervisor.adopt(child(tmp_path, FOREVER))
    before = only(supervisor)
    supervisor.kill9("tiny")
    assert only(supervisor).pid is None
    eventually(lambda: only(supervisor).pid is not None)
    after = only(supervisor)
    assert after.pid != before.pid
    assert (after.name, after.restarts, after.wanted) == ("tiny", 1, True)


def test_waits_grow_while_it_keeps_crashing(tmp_path: Path, supervisor: Supervisor) -> None:
    process = child(tmp_path, "import time; print(time.monotonic(), flush=True)")
    supervisor.adopt(process)
    eventually(lambda: len(printed(process).split()) >= 4)
    times = [float(word) for word in printed(process).split()[:4]]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[0] >= 0.2
    assert gaps[1] >= 0.4
    assert gaps[2] >= 0.8


def test_what_was_told_to_stop_stays_down_until_started(tmp_path: Path, supervisor: Supervisor) -> None:
    process = child(tmp_path, POLITE, str(tmp_path / "note"))
    supervisor.adopt(process)
    eventually(lambda: "ready" in printed(process))
    supervisor.stop("tiny")
    assert (tmp_path / "note").exists()
    assert process.wait(0.6) == 0, "it came back"
    supervisor.start("tiny")
    assert only(supervisor).pid is not None


def test_a_killed_one_can_be_kept_down(tmp_path: Path, supervisor: Supervisor) -> None:
    process = child(tmp_path, FOREVER)
    supervisor.adopt(process)
    supervisor.kill9("tiny", stay_down=True)
    assert process.wait(0.6) is not None, "it came back"
    supervisor.start("tiny")
    assert only(supervisor).wanted


@pytest.mark.parametrize("hard", [False, True])
def test_restart_does_not_wait(tmp_path: Path, hard: bool) -> None:
    patient = Supervisor(first_backoff=600.0)
    patient.adopt(child(tmp_path, FOREVER))
    before = only(patient)
    patient.restart("tiny", hard=hard)
    after = only(patient)
    assert after.pid not in (None, before.pid)
    assert after.restarts == 1
    patient.close(5)


def test_changes_are_told(tmp_path: Path) -> None:
    told = threading.Event()
    one = Supervisor(told.set, first_backoff=0.1)
    one.adopt(child(tmp_path, FOREVER))
    assert told.is_set()
    told.clear()
    one.kill9("tiny")
    assert told.is_set()
    told.clear()
    assert told.wait(10), "nobody was told that it came back"
    one.close(5)


def test_closing_stops_all_at_once_and_for_good(tmp_path: Path) -> None:
    one = Supervisor(first_backoff=0.1)
    notes = [tmp_path / f"note{number}" for number in range(3)]
    children = [child(tmp_path, POLITE, str(note), name=note.name) for note in notes]
    for process in children:
        one.adopt(process)
    eventually(lambda: all("ready" in printed(process) for process in children))
    one.close(10)
    assert [note.exists() for note in notes] == [True] * 3
    assert all(process.wait(0.3) is not None for process in children)


class _Health(BaseHTTPRequestHandler):
    answers: list[tuple[int, bytes]]

    def do_GET(self) -> None:
        status, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


def test_readiness_is_waited_for_and_its_reasons_are_told(tmp_path: Path, supervisor: Supervisor) -> None:
    supervisor.adopt(child(tmp_path, FOREVER))
    port = any_port()
    said: list[str] = []
    handler = type(
        "Health", (_Health,), {"answers": [(503, b'{"reasons": ["no broker"]}'), (502, b""), (200, b"")]}
    )

    servers: list[HTTPServer] = []

    def serve_later(text: str) -> None:
        said.append(text)
        if not servers:  # nobody listened at the first look; from here on somebody does
            servers.append(HTTPServer(("127.0.0.1", port), handler))
            threading.Thread(target=servers[0].serve_forever, daemon=True).start()

    try:
        supervisor.wait_ready("tiny", f"http://127.0.0.1:{port}/health/ready", serve_later, timeout=30)
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
    assert said == ["waiting: no answer yet", "waiting: no broker", "waiting: answers 502"]


def test_refused_settings_are_told_at_once(tmp_path: Path) -> None:
    patient = Supervisor(first_backoff=600.0)
    patient.adopt(child(tmp_path, "import sys; print('DW_TYPO is unknown'); sys.exit(2)"))
    with pytest.raises(StartError, match=r"(?s)refused to start.*DW_TYPO is unknown"):
        patient.wait_ready("tiny", "http://127.0.0.1:1/", timeout=60)
    patient.close(5)


def test_crashing_again_and_again_is_told_before_the_deadline(tmp_path: Path) -> None:
    one = Supervisor(first_backoff=0.05)
    one.adopt(child(tmp_path, "raise RuntimeError('the bug')"))
    with pytest.raises(StartError, match=r"(?s)crashes again and again.*the bug"):
        one.wait_ready("tiny", "http://127.0.0.1:1/", timeout=60)
    one.close(5)


def test_a_process_that_never_gets_ready_is_told_with_why(tmp_path: Path, supervisor: Supervisor) -> None:
    supervisor.adopt(Child("slow", Command([sys.executable, "-c", FOREVER]), tmp_path / "slow.log"))
    with pytest.raises(StartError, match=r"slow was not ready within 0 s \(no answer yet\)"):
        supervisor.wait_ready("slow", f"http://127.0.0.1:{any_port()}/", timeout=0.2)
