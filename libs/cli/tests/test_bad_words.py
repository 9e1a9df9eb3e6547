"""What a person may type wrong ends in a sentence, not in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dw_cli.main import app

FILE = "org: acme\nusers: {olga: {role: owner}}\n"


@pytest.mark.parametrize("token", ["é", "dw_ut_ok\u200b", "two\nlines", " spaced"])
def test_a_token_that_cannot_be_one_is_said_so_and_not_repeated(tmp_path: Path, token: str) -> None:
    file = tmp_path / "org.yaml"
    file.write_text(FILE)
    done = CliRunner().invoke(
        app, ["apply", str(file), "--token", token], env={"DW_PANEL_URL": "http://127.0.0.1:9"}
    )
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert "the token holds signs that no token of ours has" in done.output
    assert token not in done.output.replace("\n", "")


def test_a_config_that_there_is_not_is_refused() -> None:
    done = CliRunner().invoke(app, ["config", "nope"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "env and example" in done.output
    assert CliRunner().invoke(app, ["config", "env", "nope"]).exit_code == 2
