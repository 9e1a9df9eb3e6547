"""The commands of `dw`, as somebody types them: one stack of its own, brought up, looked at, used and taken down by them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import httpx
import psutil  # type: ignore[import-untyped]  # ships no types
import pytest

from dw_contracts.settings import ALL, TriageSettings
from dw_contracts.topics import CHAT_EVENTS
from dw_contracts.variables import example_file, known
from dw_devstack.demo.play import SECRET
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.product import Product
from dw_devstack.state import State, read_state
from dw_devstack.topic_reader import open_writer
from dw_testkit.events import chat_event
from dw_testkit.interrupts import heed_ctrl_c
from e2e.hostile import hostile_events

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
MESSAGES = 300
HOSTILE = {"not JSON": "not JSON", "lone surrogate": "surrogate", "duplicate keys": "duplicate key"}
TOKEN = re.compile(r"\bdw_gw_\S+")


def environment(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("DW_")} | more


class Desk:
    """A folder to type in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = Home(folder / ".dw")
        self.key = ""

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "dw_cli.main", *arguments]

    def run(self, *arguments: str, given: str = "", **more: str) -> tuple[int, str]:
        """Exit status, and all that it said."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=environment(**more),
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def said(self, *arguments: str, **more: str) -> str:
        """The same of what must succeed."""
        status, text = self.run(*arguments, **more)
        assert status == 0, text
        return text

    @property
    def state(self) -> State:
        state = read_state(self.home)
        assert state is not None, "the stack is up"
        return state

    def processes(self) -> list[str]:
        """Whatever runs with this folder in its command or as its place."""
        return [found for process in psutil.process_iter() if (found := self._ours(process))]

    def _ours(self, process: psutil.Process) -> str:
        with suppress(psutil.Error, OSError):
            words = " ".join(process.cmdline())
            if str(self.folder) in words or str(self.folder) in process.cwd():
                return words
        return ""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Its folder. Triage's port is taken by a stranger while the stack starts."""
    desk = Desk(tmp_path_factory.mktemp("commands"))
    yield desk
    desk.run("down")
    assert desk.processes() == []


@pytest.fixture(scope="module")
def started(desk: Desk) -> Iterator[str]:
    """What the first `dw up -d` said."""
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # another stranger has it
            stranger.bind(("127.0.0.1", TriageSettings.default_port))
            stranger.listen(1)
        yield desk.said("up", "-d")


@pytest.fixture(scope="module")
def acme(desk: Desk, started: str) -> Desk:
    """The stack with the org of the example."""
    assert started
    first = desk.said("apply", str(ROOT / "examples" / "acme.yaml"))
    key = TOKEN.search(first)
    assert key is not None, first
    desk.key = key.group()
    assert re.search(r"^org acme: [0-9a-f-]{36}$", first, re.MULTILINE)
    assert "~ user" not in first, "the first owner is made with the name of the file"
    again = desk.said("apply", str(ROOT / "examples" / "acme.yaml"))
    assert re.search(r"^0 changed, \d+ as they were$", again, re.MULTILINE), again
    return desk


def eventually(look: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < until, what
        time.sleep(0.2)


def test_up_says_which_part_moved_and_no_other_part_gives_way_for_it(desk: Desk, started: str) -> None:
    usual, ports = TriageSettings.default_port, desk.state.ports
    assert f"{usual} is taken: triage is at {ports['triage']}" in started
    moved = re.findall(r"(\d+) is taken: \S.* is at (\d+)$", started, re.MULTILINE)
    for _, chosen in moved:
        assert int(chosen) not in {cls.default_port for cls in ALL}
    still = {name: port for name, port in ports.items() if str(port) not in {chosen for _, chosen in moved}}
    assert still == {cls.service: cls.default_port for cls in ALL if cls.service in still}
    assert "Up. Panel: " in started


def test_up_again_does_nothing_and_status_knows_all_parts(desk: Desk, started: str) -> None:
    assert started
    before = desk.state
    assert desk.said("up", "-d").startswith("already up: panel at http://127.0.0.1:")
    assert desk.state == before
    lines = desk.said("status").splitlines()
    parts = {line.split()[0]: line.split() for line in lines[1:]}
    assert set(parts) == {"kafka", "postgres", *before.ports}
    assert {line[-1] for line in parts.values()} == {"listening", "ready"}
    assert parts["panel"][1:3] == [str(before.pids["panel"]), before.addresses.url("panel")]


def test_migrate_and_topics_change_nothing_on_a_stack_that_is_up(desk: Desk, started: str) -> None:
    assert started
    first = desk.said("migrate")
    assert re.fullmatch(r"schema at revision \d{4}\n", first)
    assert desk.said("migrate") == first
    assert re.fullmatch(
        r"\d+ topics: 0 created, 0 changed; 0 rights granted, 0 revoked\n", desk.said("topics")
    )


def test_config_is_one_file_for_every_process(desk: Desk, started: str) -> None:
    assert started
    variables = dict(line.split("=", 1) for line in desk.said("config", "env").splitlines())
    assert variables["DW_KAFKA_BOOTSTRAP"] == desk.state.kafka
    assert variables["DW_PANEL_PORT"] == str(desk.state.ports["panel"])
    assert not set(variables) - set(known())
    assert desk.said("config", "example") == example_file()


def test_logs_are_the_lines_as_they_stand_there(desk: Desk, started: str) -> None:
    assert started
    lines = desk.said("logs", "policy", "-n", "3").splitlines()
    assert len(lines) == 3
    assert all(line.startswith("{") and json.loads(line)["service"] == "policy" for line in lines)
    status, said = desk.run("logs", "nobody")
    assert status == 1
    assert "known are channels, context, detector" in said


def test_the_demo_ends_with_the_number_of_steps_that_did_not_happen(desk: Desk, started: str) -> None:
    """A log that holds the password of step 3 is what the demo must find."""
    assert started
    stray = desk.home.logs / "stray.log"
    stray.write_text(f"somebody logged {SECRET}\n")
    status, said = desk.run("demo")
    stray.unlink()
    assert status == 1, said
    assert "did not happen: NotSeen: found in file stray.log" in said
    status, said = desk.run("demo")
    assert status == 0, said
    assert "did not happen" not in said
    assert said.count("✓") >= 9


def test_publish_sends_a_file_and_accounts_for_every_message(acme: Desk, tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    rows = [
        {"id": f"m{n}", "speaker": ("U1001", "U7")[n % 2], "text": text, "replies_to": [f"m{n - 1}"] if n else []}
        for n in range(MESSAGES)
        for text in (f"For everybody: room {n} is called Velo{n}." if n % 3 else "thanks, see you tomorrow!",)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = acme.said("publish", str(file), "--org", "acme", "--channel", "helpdesk", DW_GATEWAY_KEY=acme.key)
    assert f"{MESSAGES} events accepted in " in said
    assert "all outcomes after " in said
    counts = {name: int(count) for name, count in re.findall(r"^  (\S.*?) {2,}(\d+)$", said, re.MULTILINE)}
    assert sum(counts.values()) == MESSAGES, counts
    assert counts.get("saved", 0) > 0, counts
    assert any(name.startswith("skip (") for name in counts), counts
    status, refused = acme.run(
        "publish", str(file), "--org", "acme", "--channel", "helpdesk", DW_GATEWAY_KEY="dw_gw_wrong"
    )
    assert status == 1
    assert "Traceback" not in refused


def test_trace_tells_what_became_of_an_event_and_where_the_time_went(acme: Desk) -> None:
    body = {
        "channel": "C-HELPDESK",
        "message_ref": "traced",
        "text": "The Lisbon office closes at 18:00.",
        "sender": {"platform": "slack", "workspace_ref": "T-ACME", "external_user_id": "U1001"},
    }
    url = acme.state.addresses.url("ingest") + "/v1/events"
    headers = {"authorization": f"Bearer {acme.key}"}
    event_id = httpx.post(url, json=body, headers=headers, timeout=30.0).json()["events"][0]["event_id"]

    def decided() -> bool:
        answer = httpx.get(f"{url}/{event_id}", headers=headers, timeout=30.0).json()
        return bool(answer["status"] == "decided")

    eventually(decided, "the event is decided")

    def traced() -> bool:  # spans are written every few seconds
        said = acme.said("trace", event_id)
        assert "item 0: saved" in said
        return all(service in said for service in ("ingest", "triage", "detector", "policy"))

    eventually(traced, "all four services are in the trace")
    status, said = acme.run("trace", "00000000-0000-4000-8000-000000000000")
    assert (status, said.strip()) == (
        1,
        "nothing is known of event 00000000-0000-4000-8000-000000000000",
    )


def letters(desk: Desk) -> list[list[str]]:
    """Rows of `dw dlq list` of the topic: partition, offset, at, from, kind, put back, reason."""
    lines = desk.said("dlq", "list", CHAT_EVENTS.name).splitlines()
    return [line.split(maxsplit=6) for line in lines[1:-1]]


async def pour(desk: Desk) -> None:
    """Hostile records, as ingest's own user would write them."""
    event = chat_event(UUID(int=1), UUID(int=2), UUID(int=3), "hostile")
    records = [one for one in hostile_events(event) if one.kind in HOSTILE]
    password = Product(desk.home).kafka_passwords()["ingest"]
    async with open_writer(KafkaLogin(desk.state.kafka, "ingest", password)) as producer:
        for one in records:
            await producer.send_and_wait(CHAT_EVENTS.name, value=one.value, key=one.key, headers=one.headers)


def test_a_dead_letter_is_listed_shown_and_put_back(desk: Desk, started: str) -> None:
    """Triage and context each say of every hostile record why they could not read it."""
    assert started
    asyncio.run(pour(desk))
    eventually(lambda: len(letters(desk)) == 2 * len(HOSTILE), "each reader has its dead letters")
    for reason in HOSTILE.values():
        row = next(row for row in letters(desk) if reason in row[6])
        partition, offset, _, origin, kind, back, _ = row
        shown = desk.said("dlq", "show", CHAT_EVENTS.name, partition, offset)
        assert (kind, back) == ("permanent", "-")
        assert re.search(rf"^dlq_reason: .*{reason}", shown, re.MULTILINE)
        assert origin.startswith(f"{CHAT_EVENTS.name}/")
        assert f"dlq_offset: {origin.rpartition('/')[2]}\n" in shown
    counts = desk.said("dlq", "list")
    assert CHAT_EVENTS.dead_letters in counts, "the name is whole where the output is no terminal"
    assert counts.splitlines()[-1] == f"{2 * len(HOSTILE)} dead letters"

    status, said = desk.run("dlq", "replay", CHAT_EVENTS.name, "--reason", "surrogate", given="n\n")
    assert status == 1, said
    said = desk.said("dlq", "replay", CHAT_EVENTS.name, "--reason", "surrogate", "--limit", "1", "--yes")
    assert said == "1 record put back\n"
    eventually(lambda: len(letters(desk)) == 2 * len(HOSTILE) + 2, "what was put back is read again")
    status, said = desk.run("dlq", "replay", CHAT_EVENTS.name, "--reason", "surrogate", "--yes")
    assert (status, said) == (0, "1 record put back\n"), (
        "the one that died again, and not the first once more"
    )
    eventually(lambda: len(letters(desk)) == 2 * len(HOSTILE) + 4, "what was put back is read again")
    assert sum(row[5] != "-" for row in letters(desk)) == 4
    assert desk.said("dlq", "list").splitlines()[-1] == f"{2 * len(HOSTILE) + 4} dead letters, 4 put back"
    assert desk.run("dlq", "replay", CHAT_EVENTS.name, "--reason", "no such", "--yes")[0] == 1
    assert desk.run("dlq", "show", CHAT_EVENTS.name, "0", "999999")[0] == 1
    assert desk.run("dlq", "list", "no.such.topic")[0] == 1
    assert desk.said("dlq", "resume", "triage") == "triage: nothing was stopped\n"
    assert desk.run("dlq", "resume", "nobody")[0] == 1


def test_down_leaves_nothing_running_and_loses_nothing(acme: Desk) -> None:
    assert acme.processes()
    assert acme.said("down") == "stopped\n"
    assert acme.processes() == []
    assert acme.said("down") == "nothing is running\n"
    status, said = acme.run("status")
    assert status == 1
    assert "start one with `dw up -d`" in said
    assert (acme.home.data / "postgres").is_dir()


def test_ctrl_c_while_kafka_starts_stops_at_once(tmp_path: Path) -> None:
    """Kafka needs many seconds until it answers; a start that was given up does not wait for it."""
    desk = Desk(tmp_path)
    process = subprocess.Popen(
        desk.command("up"), cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        preexec_fn=heed_ctrl_c
    )  # fmt: skip
    assert process.stdout is not None
    seen: list[str] = []
    for line in process.stdout:
        seen.append(line)
        if re.match(r" +kafka .* starting$", line):
            break
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=300)[0]
    assert process.returncode == 130, seen
    assert "stopping" in rest.splitlines()
    assert "Traceback" not in rest
    assert "topics" not in rest, "Kafka was not waited for"
    assert "stopped; your data stays in " in rest
    assert desk.processes() == []


def test_a_setting_that_cannot_be_is_said_once_and_sends_nobody_to_a_log(tmp_path: Path) -> None:
    status, said = Desk(tmp_path).run("up", "-d", DW_TRIAGE_THRESHOLD="nan")
    assert status == 1
    assert said == "DW_TRIAGE_THRESHOLD: Input should be a finite number\n"
