"""What a person may type wrong ends in a sentence, not in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError, field_validator, model_validator
from typer.testing import CliRunner

from dw_cli.local import first_fault
from dw_cli.main import app


class Hours(BaseModel):
    """Of an office."""

    opens: int = 8
    closes: int = 18

    @field_validator("closes")
    @classmethod
    def _of_a_day(cls, value: int) -> int:
        if value > 24:
            raise ValueError("a day has 24 hours")
        return value

    @model_validator(mode="after")
    def _in_order(self) -> Hours:
        if self.closes < self.opens:
            raise ValueError("closes before it opens")
        return self


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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"closes": 25}, "closes: a day has 24 hours"),
        ({"opens": 20}, "closes before it opens"),
        ({"opens": "x", "closes": 25}, "opens: Input should be a valid integer, unable to parse string as an integer"),
    ],
    ids=("one-field", "several", "the-first"),
)  # fmt: skip
def test_the_first_fault_is_said_with_its_place_and_without_the_librarys_own_words(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        Hours.model_validate(given)
    assert first_fault(refused.value) == said
