"""Logs: one JSON object a line, and chatter of a library said once a minute."""

from __future__ import annotations

import logging

import orjson
import pytest

from dw_runtime.logs import Fold, configure_logging, log


def _record(text: str, name: str = "aiokafka") -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, "file.py", 1, text, (), None)


def test_chatter_is_said_once_a_minute_with_how_often_it_came() -> None:
    now = [0.0]
    fold = Fold(lambda: now[0])
    assert [fold.filter(_record("Unable connect to node with id 1")) for _ in range(5)] == [
        True,
        *[False] * 4,
    ]
    now[0] = 61.0
    again = _record("Unable connect to node with id 1")
    assert fold.filter(again)
    assert again.getMessage() == "Unable connect to node with id 1 (and 4 more like it)"
    assert again.levelno == logging.INFO


def test_what_is_not_chatter_is_never_folded() -> None:
    fold = Fold(lambda: 0.0)
    assert all(fold.filter(_record("Topic authorization failed")) for _ in range(3))
    assert all(fold.filter(_record("NodeNotReady", "dw")) for _ in range(3))


def test_passwords_in_the_clear_are_a_warning_off_this_machine_alone() -> None:
    text = "Sending username and password in the clear"
    assert not Fold(lambda: 0.0, loopback=True).filter(_record(text))
    elsewhere = _record(text)
    assert Fold(lambda: 0.0, loopback=False).filter(elsewhere)
    assert elsewhere.levelno == logging.ERROR


def test_ours_and_the_librarys_lines_have_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.getLogger().handlers[:]
    try:
        configure_logging("triage", "info", "json")
        log.info("thing.done", org_id="o")
        logging.getLogger("elsewhere").warning("careful %s", "now")
        ours, theirs = (orjson.loads(line) for line in capsys.readouterr().out.splitlines())
    finally:
        logging.getLogger().handlers[:] = before
    assert (ours["event"], ours["level"], ours["service"], ours["org_id"]) == (
        "thing.done",
        "info",
        "triage",
        "o",
    )
    assert (theirs["event"], theirs["level"], theirs["service"]) == ("careful now", "warning", "triage")
    assert ours["ts"].endswith("Z")
