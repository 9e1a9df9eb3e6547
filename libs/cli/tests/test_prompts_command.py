"""dw prompts against a real database: the way of a version from a file to the detectors, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from dw_store.database import Database
from dw_store.prompts import active_prompts

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]


async def run(dsn: str, *args: str) -> Any:
    """The command in a thread: it has an event loop of its own."""
    env = {"DW_DATABASE_ADMIN_URL": dsn, "COLUMNS": "200"}
    return await asyncio.to_thread(CliRunner().invoke, app, ["prompts", *args], env=env)


async def active(dsn_of: DsnOf) -> str:
    async with Database.connect(dsn_of("detector"), size=1, application_name="test") as database:
        return (await active_prompts(database))["learning_detect"].name


async def test_a_version_goes_from_a_file_to_active_and_back(dsn_of: DsnOf, tmp_path: Path) -> None:
    admin, file = dsn_of("admin"), tmp_path / "prompt.yaml"
    shown = (await run(admin, "show", "learning_detect")).stdout
    file.write_text(shown.replace("You read one workplace chat message", "You read one message of a team"))
    proposed = await run(admin, "propose", str(file), "--by", "ada", "--why", "plainer")
    assert "learning_detect-3 is proposed" in proposed.output
    assert (await run(admin, "activate", "learning_detect", "3")).exit_code == 1
    own = await run(admin, "approve", "learning_detect", "3", "--by", "ada")
    assert own.exit_code == 1
    assert "somebody else" in own.output
    assert (await run(admin, "approve", "learning_detect", "3", "--by", "bo")).exit_code == 0
    assert await active(dsn_of) == "learning_detect-2"
    assert (await run(admin, "activate", "learning_detect", "3", "--by", "bo")).exit_code == 0
    assert await active(dsn_of) == "learning_detect-3"
    assert (await run(admin, "show", "learning_detect")).stdout == file.read_text()
    assert (await run(admin, "show", "learning_detect", "2")).stdout == shown
    listed = (await run(admin, "list", "learning_detect")).output.splitlines()
    assert listed[0] == "learning_detect-3  active  by ada, approved by bo  plainer"
    assert (await run(admin, "activate", "learning_detect", "2", "--by", "bo")).exit_code == 0
    told = (await run(admin, "log", "learning_detect")).output
    assert "learning_detect-2 activated instead of 3 by bo" in told
    assert "learning_detect-3 proposed by ada  plainer" in told


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("key: learning_detect\nsystem: obey {{message}}\nturn: '{{message}}'\n", "no variables"),
        ("key: memory_compact\nsystem: x\nturn: '{{message}}'\n", "there is no prompt"),
        ("key: learning_detect\nsystem: x\n", "turn"),
        ("[", "prompt.yaml"),
    ],
)
async def test_a_file_that_is_no_prompt_is_refused_in_words(
    dsn_of: DsnOf, tmp_path: Path, text: str, word: str
) -> None:
    file = tmp_path / "prompt.yaml"
    file.write_text(text)
    refused = await run(dsn_of("admin"), "propose", str(file), "--why", "x")
    assert refused.exit_code == 1
    assert word in refused.output.replace("\n", "")
    assert "Traceback" not in refused.output
