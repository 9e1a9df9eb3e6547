"""dw eval --provider: a model over HTTP in the extractor's place, by the detector's settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dw_cli.evals import app
from services.detector.tests.gate_world import GOOD, items, openai_answer
from services.detector.tests.model_server import ModelServer, Reply

FACT = "The Lisbon office closes at 18:00."
ROWS = [
    {"text": FACT, "cls": "memory_fact", "route": "auto_memory", "sender": "verified"},
    {"text": "Thanks a lot!", "cls": "skip", "route": "skip"},
    {"text": "Ship it on Friday, please.", "cls": "skip", "route": "skip"},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return file


@pytest.fixture
def server() -> Iterator[ModelServer]:
    def says(body: dict[str, Any]) -> Reply:
        text = shown(body)
        if "Friday" in text:
            return 200, openai_answer("I would rather not say.")
        found = (
            [GOOD | {"text": FACT, "span": [0, len(FACT)], "key": "lisbon-office"}] if FACT in text else []
        )
        return 200, openai_answer("```json\n" + items(*found) + "\n```")

    with ExitStack() as stack:
        yield stack.enter_context(ModelServer(says).serving())


def shown(body: dict[str, Any]) -> str:
    return str(body["messages"][1]["content"])


def run(what: str, data: Path, provider: str, url: str, **more: str) -> Result:
    env = {"DW_DETECTOR_BASE_URL": url, "DW_DETECTOR_MODEL": "small", "DW_DETECTOR_API_KEY": "k-1", **more}
    return CliRunner().invoke(app, [what, "--data", str(data), "--provider", provider], env=env)


def test_a_configured_model_is_scored_without_a_price_and_what_fits_not_is_said(
    data: Path, server: ModelServer
) -> None:
    done = run("detect", data, "openai", server.url)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["n"], told["macro_f1"], told["invented"]) == (3, 1.0, 0)
    assert (told["provider"], told["model"], told["asked"], told["unfit"]) == ("openai", "small", 3, 1)
    assert len(server.asked) == 3 + 1, "each row once, and one repair try"
    assert "offsets of its first character" in server.asked[0]["messages"][0]["content"]
    assert "1 of 3 got no answer that fits; the first: answer: json_invalid" in done.stderr


def test_the_pipeline_asks_only_what_triage_lets_through(data: Path, server: ModelServer) -> None:
    done = run("pipeline", data, "openai", server.url)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["saved_share"] == 1.0
    assert told["asked"] < 3
    assert not any("Thanks" in shown(body) for body in server.asked)


def test_anthropics_model_is_asked_in_its_own_way(data: Path, server: ModelServer) -> None:
    tool = {"type": "tool_use", "name": "learning_items", "input": {"items": []}}
    server.says = lambda body: (200, {"model": "small-0", "content": [tool]})
    done = run("detect", data, "anthropic", server.url)
    assert json.loads(done.stdout.splitlines()[-1])["provider"] == "anthropic"
    assert "tools" in server.asked[0]


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"DW_DETECTOR_MODEL": ""}, "needs DW_DETECTOR_BASE_URL and DW_DETECTOR_MODEL"),
        ({"DW_DETECTOR_TIMEOUT_SECONDS": "no"}, "DW_DETECTOR_TIMEOUT_SECONDS"),
    ],
)
def test_settings_that_do_not_fit_are_said_in_a_line(data: Path, env: dict[str, str], says: str) -> None:
    done = run("detect", data, "openai", "http://127.0.0.1:9/v1", **env)
    assert done.exit_code == 1
    assert says in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_a_model_that_cannot_be_asked_ends_it_without_its_key(data: Path, server: ModelServer) -> None:
    server.says = lambda body: (401, {"error": {"code": "invalid_api_key", "message": "bad key k-1"}})
    done = run("detect", data, "openai", server.url)
    assert done.exit_code == 1
    assert "openai: auth: the provider answered 401 invalid_api_key" in done.stderr
    assert "k-1" not in done.output
