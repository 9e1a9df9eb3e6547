"""Whose token a command shows to a panel: the one that is given, else the stack's own, to that stack's panel alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dw_cli.main import app

AGENT = ("--agent", "it_agent")


@pytest.mark.parametrize(
    "arguments",
    [
        ("key", "list"),
        ("gate", "status"),
        ("policy", "explain", *AGENT, "--text", "x", "--sender", "minh"),
        ("memory", "export", *AGENT, "--out", "copy"),
        ("audit", "export", "--out", "copy"),
        ("person", "export", "--member", "minh", "--out", "copy"),
    ],
    ids=lambda arguments: "-".join(arguments[:2]),
)
def test_without_a_token_for_another_panel_it_says_where_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"DW_PANEL_URL": "http://127.0.0.1:9", "DW_TOKEN": ""}
    done = CliRunner().invoke(app, [*arguments, "--org", "acme"], env=env)
    assert done.exit_code == 1
    assert "no token for org acme is kept here: give one with --token or DW_TOKEN" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["audit", "person"])
def test_a_copy_that_cannot_be_made_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"DW_PANEL_URL": "http://127.0.0.1:9", "DW_TOKEN": "dw_ut_x"}
    whose = ["--member", "minh"] if command == "person" else []
    done = CliRunner().invoke(app, [command, "export", "--org", "acme", "--out", "copy", *whose], env=env)
    assert (done.exit_code, "ConnectError" in done.output) == (1, True), done.output
    assert list(tmp_path.iterdir()) == []
