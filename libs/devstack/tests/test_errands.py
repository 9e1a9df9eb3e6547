"""Errands: another process asks for a restart, and whoever runs the stack does it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from dw_devstack.errands import Errands, ask_restart
from dw_devstack.errors import StackError
from dw_devstack.paths import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / ".dw").create()


def test_what_is_asked_for_is_restarted_before_the_asker_goes_on(home: Home) -> None:
    restarted: list[str] = []

    def slowly(name: str) -> None:
        time.sleep(0.05)
        restarted.append(name)

    errands = Errands(home, slowly)
    errands.open()
    try:
        ask_restart(home, ["policy", "triage"])
        assert sorted(restarted) == ["policy", "triage"]
    finally:
        errands.close()


def test_what_an_earlier_stack_was_asked_for_is_void(home: Home) -> None:
    (home.run / "restart.policy").touch()
    restarted: list[str] = []
    errands = Errands(home, restarted.append)
    errands.open()
    errands.close()
    assert restarted == []
    assert list(home.run.glob("restart.*")) == []


def test_an_asker_is_told_when_nobody_does_it(home: Home) -> None:
    with pytest.raises(StackError, match="nobody restarted policy"):
        ask_restart(home, ["policy"], seconds=0.1)


def test_nothing_is_done_after_closing(home: Home) -> None:
    restarted: list[str] = []
    errands = Errands(home, restarted.append)
    errands.open()
    errands.close()
    asker = threading.Thread(target=lambda: (home.run / "restart.policy").touch())
    asker.start()
    asker.join()
    time.sleep(0.2)
    assert restarted == []
