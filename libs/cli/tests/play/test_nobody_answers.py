"""A stack that gives no answer is said so at once, and no step waits a minute to find it out again."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
import yaml
from rich.console import Console
from typer.testing import CliRunner

from dw_cli.main import app
from dw_cli.play.api import Api
from dw_cli.play.parse import parse_story
from dw_cli.play.report import Report
from dw_cli.play.run import Player
from dw_cli.play.stage import Stage, Watch
from dw_contracts.settings import ALL
from dw_devstack.paths import Home
from dw_devstack.ports import any_port
from dw_devstack.process_table import ProcessId

STORY: Final[dict[str, Any]] = {
    "id": "1",
    "title": "t",
    "setup": {"orgs": {"acme": {"agents": {"it_agent": {}}, "users": {"ingrid": {"role": "owner"}}}}},
    "steps": [{"wait": 1}, {"wait": 2}],
}


def dead_stack(home: Home) -> None:
    """What a supervisor wrote that still runs, and whose services have gone."""
    me = ProcessId.of(os.getpid())
    assert me is not None
    ports = {cls.service: any_port() for cls in ALL}
    state = {"kafka": "127.0.0.1:1", "postgres_port": 2, "ports": ports, "children": {}}
    home.create().state_file.write_text(
        json.dumps({**state, "supervisor": me.pid, "supervisor_started": me.started})
    )


def test_a_stack_that_does_not_answer_is_said_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dead_stack(Home(tmp_path / ".dw"))
    (tmp_path / "story.yaml").write_text(yaml.safe_dump(STORY))
    done = CliRunner().invoke(app, ["play", "story.yaml"])
    assert done.exit_code == 1
    assert done.output.startswith("no stack answers at http://127.0.0.1:")
    assert len(done.output.splitlines()) == 1


async def test_what_follows_a_silent_service_is_not_tried() -> None:
    seen = io.StringIO()
    report = Report(Console(file=seen, width=200))
    urls = dict.fromkeys(("ingest", "context", "panel"), f"http://127.0.0.1:{any_port()}")
    stage, watch = cast(Stage, SimpleNamespace(installation_token="t")), cast(Watch, None)
    async with Api(urls, patience=0.0) as api:
        player = Player(stage, report, None, ())
        for name in ("a.yaml", "b.yaml"):
            await player.one(api, watch, parse_story(name, STORY))
    assert report.failed == 4
    words = [failure["words"] for failure in report.failures]
    assert words == [
        "panel gave no answer (ConnectError)",
        "not played: panel gave no answer (ConnectError)",
    ]
