"""Progress that says what is going on without pouring lines."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from dw_devstack.progress import Lines


def test_a_line_a_change_and_a_long_download_now_and_then() -> None:
    shown, now = StringIO(), [100.0]
    lines = Lines(Console(file=shown, width=40), clock=lambda: now[0])
    kafka, other = lines.part("kafka"), lines.part("postgres")
    for done in range(20):
        kafka(f"downloading [{done} of 20 jars]")
        now[0] += 0.25
    other("starting")
    kafka("starting")
    kafka("starting")
    assert shown.getvalue().splitlines() == [
        "  kafka        0.0 s  downloading [0 of 20 jars]",
        "  kafka        2.0 s  downloading [8 of 20 jars]",
        "  kafka        4.0 s  downloading [16 of 20 jars]",
        "  postgres     5.0 s  starting",
        "  kafka        5.0 s  starting",
    ]
