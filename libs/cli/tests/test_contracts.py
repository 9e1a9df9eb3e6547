"""dw contracts: a break does not get by, neither by writing over a schema nor by deleting it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import dw_cli.contracts as command
from dw_contracts.generate import SCHEMAS, generated

CHAT = f"{SCHEMAS}/messages/dw.chat_event.v1.json"
RUN = CliRunner()
MADE = generated()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own in which all generated files are committed."""
    _without_services(monkeypatch)
    assert _dw(tmp_path, "write").exit_code == 0
    _git(tmp_path, "init", "-q")
    _commit(tmp_path, "all generated files")
    return tmp_path


def _without_services(monkeypatch: pytest.MonkeyPatch) -> None:
    """The OpenAPI part needs every service and is held against the repository by `make lint`."""
    monkeypatch.setattr(command, "HTTP_SERVICES", ())
    monkeypatch.setattr(command, "generated", lambda: MADE)


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def _commit(folder: Path, message: str) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", message)


def _dw(folder: Path, what: str) -> Any:
    return RUN.invoke(command.contracts_app, [what, "--root", str(folder)])


def _land_a_field_that_is_gone(folder: Path) -> None:
    """As if `signature` had been published and somebody took it out of the model."""
    schema = json.loads((folder / CHAT).read_text())
    schema["properties"]["signature"] = {"type": "string"}
    (folder / CHAT).write_text(json.dumps(schema))
    _commit(folder, "a field more")


def test_check_passes_on_what_write_wrote(repository: Path) -> None:
    result = _dw(repository, "check")

    assert result.exit_code == 0, result.output
    assert f"{len(MADE)} generated files" in result.output


def test_check_fails_on_drift_and_names_the_file(repository: Path) -> None:
    (repository / ".env.example").write_text("# mine\n")

    result = _dw(repository, "check")

    assert result.exit_code == 1
    assert ".env.example differs from the contracts" in result.output


def test_write_removes_what_is_no_longer_generated(repository: Path) -> None:
    stray = repository / "libs/contracts/examples/dw.old.v1/minimal.json"
    stray.parent.mkdir(parents=True)
    stray.write_text("{}")

    assert _dw(repository, "write").exit_code == 0
    assert not stray.exists()


def test_a_break_is_refused_with_its_field_and_what_to_do_and_nothing_is_written(repository: Path) -> None:
    _land_a_field_that_is_gone(repository)
    before = (repository / CHAT).read_text()

    result = _dw(repository, "write")

    assert result.exit_code == 1
    assert "messages/dw.chat_event.v1: signature: was removed or renamed" in result.output
    assert ".v2 topic" in result.output
    assert (repository / CHAT).read_text() == before


@pytest.mark.parametrize("hide", ["overwrite", "delete", "delete and commit", "overwrite and commit"])
def test_changing_or_deleting_the_schema_by_hand_does_not_get_a_break_by(repository: Path, hide: str) -> None:
    _land_a_field_that_is_gone(repository)
    if "delete" in hide:
        (repository / CHAT).unlink()
    else:
        (repository / CHAT).write_text(MADE[CHAT])
    if "commit" in hide:
        _commit(repository, "nothing to see here")

    result = _dw(repository, "write")

    assert result.exit_code == 1
    assert "signature: was removed or renamed" in result.output


def test_a_break_that_a_person_accepted_with_a_reason_passes(repository: Path) -> None:
    _land_a_field_that_is_gone(repository)
    accepted = repository / "libs/contracts/accepted_breaks.yaml"
    accepted.write_text(
        '- break: "messages/dw.chat_event.v1: signature: was removed or renamed"\n  why: never released\n'
    )

    assert _dw(repository, "write").exit_code == 0
    assert (repository / CHAT).read_text() == MADE[CHAT]


def test_outside_a_clone_the_files_on_disk_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_services(monkeypatch)
    _dw(tmp_path, "write")
    schema = json.loads((tmp_path / CHAT).read_text())
    schema["properties"]["signature"] = {"type": "string"}
    (tmp_path / CHAT).write_text(json.dumps(schema))

    assert _dw(tmp_path, "check").exit_code == 1
