"""The stand-in model answers what a story says, over HTTP as the detector asks, and else what the extractor says."""

from __future__ import annotations

import json
import socket
import struct
from pathlib import Path

import httpx
import pytest

from dw_cli.play.command import _needs_model
from dw_cli.play.parse import read_story
from dw_cli.play.stand_in import StandIn
from dw_cli.play.steps import ModelAnswer
from dw_contracts.settings import DetectorSettings
from dw_learning.extract.extract import model as read_model
from dw_learning.gate.prices import PriceTable
from dw_learning.skill_draft_check import faults_of_draft
from dw_runtime.settings import load_settings


def asked(model: StandIn, text: str) -> list[dict[str, object]]:
    body = {
        "messages": [
            {"role": "system", "content": "x"},
            {"role": "user", "content": f"<message>\n{text}\n</message>"},
        ]
    }
    answer = httpx.post(model.url + "/chat/completions", json=body, timeout=60.0).json()
    items: list[dict[str, object]] = json.loads(answer["choices"][0]["message"]["content"])["items"]
    return items


def test_it_answers_what_it_was_told_and_else_what_the_extractor_says() -> None:
    with StandIn.serving() as model:
        model.tell("The <odd> thing is blue.", ModelAnswer(kind="sensitive", risk="high", confidence=0.9))
        model.tell("Forget it.", ModelAnswer(kind="none"))
        (item,) = asked(model, "The ‹odd> thing is blue.")
        assert (item["kind"], item["risk_hint"], item["confidence"]) == ("sensitive", "high", 0.9)
        assert asked(model, "Forget it.") == []
        (plain,) = asked(model, "The Lisbon office closes at 18:00.")
        assert (plain["kind"], plain["text"]) == ("memory_fact", "The Lisbon office closes at 18:00.")


def test_it_drafts_a_skill_in_the_strict_format_from_what_was_said() -> None:
    said = ("Turn the client off.", "Import the new profile.")
    body = StandIn.draft("".join(f"<said>\n{text}\n</said>\n" for text in said))
    assert faults_of_draft(body, said) == ()
    assert "1. Turn the client off.\n2. Import the new profile." in body


def test_the_detector_starts_with_what_the_stand_in_sets() -> None:
    """A model without a price is refused at the start; the stand-in costs nothing."""
    with StandIn.serving() as model:
        settings = load_settings(DetectorSettings, model.settings)
        assert settings.provider == "openai"
        assert PriceTable.parse(settings.prices, settings.price_version).prices[settings.model] is not None


def test_a_story_is_given_a_model_only_where_it_is_played() -> None:
    story = read_story(Path(__file__).parents[4] / "stories" / "the-model-is-not-believed.yaml")
    assert _needs_model([story], None)
    assert _needs_model([story], frozenset({"core", "gate"}))
    assert not _needs_model([story], frozenset({"core"}))


def test_its_models_are_read_before_it_is_asked() -> None:
    """A dozen first questions at once would each read them, and all answers would come too late."""
    read_model.cache_clear()
    with StandIn.serving():
        assert read_model.cache_info().currsize == 1


def test_a_question_whose_asker_has_gone_leaves_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "x" * 100_000}]}).encode()
    head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with StandIn.serving() as model:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", int(model.url.rpartition(":")[2]))) as asker:
                asker.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                asker.sendall(head + body)
        assert asked(model, "Thanks!") == []
    assert capfd.readouterr().err == ""
