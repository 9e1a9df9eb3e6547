"""Logs grow, move aside and are read from the end."""

from __future__ import annotations

from pathlib import Path

from dw_devstack.logfiles import TAIL_BYTES, rotate, tail


def test_a_small_log_stays(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("x" * 9)
    rotate(log, limit=10)
    assert log.read_text() == "x" * 9


def test_a_grown_log_moves_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    for content in ("first", "second", "third", "fourth"):
        log.write_text(content)
        rotate(log, limit=1, keep=3)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "a.log.1": "fourth",
        "a.log.2": "third",
        "a.log.3": "second",
    }


def test_tail_shows_the_last_lines_even_of_bytes_that_are_no_text(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"one\ntwo\n\xff three\n")
    assert tail(log, 2) == "two\n� three"


def test_tail_reads_only_the_end_of_a_large_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("x" * (3 * TAIL_BYTES) + "\nend\n")
    shown = tail(log, 5)
    assert shown.endswith("\nend")
    assert len(shown) <= TAIL_BYTES + 10


def test_tail_says_that_there_is_nothing(tmp_path: Path) -> None:
    assert tail(tmp_path / "none.log", 3) == "(no log yet)"
    (tmp_path / "empty.log").touch()
    assert tail(tmp_path / "empty.log", 3) == "(empty)"
