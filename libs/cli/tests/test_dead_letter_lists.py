"""dw dlq list: what is not shown is said."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from dw_cli import dead_letters
from dw_cli.letters import letters_of
from dw_cli.main import app
from dw_contracts.dead_letters import Header


@pytest.fixture
def _three_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six dead letters: three of one reason, two of another, one of a third."""

    records = [
        SimpleNamespace(
            topic="t.dlq",
            partition=0,
            offset=at,
            timestamp=at,
            headers=((Header.REASON, reason.encode()), (Header.OFFSET, str(at).encode())),
        )
        for at, reason in enumerate(("often", "often", "often", "twice", "twice", "once"))
    ]
    monkeypatch.setattr(dead_letters, "_letters", lambda topic: letters_of(records))


@pytest.mark.usefixtures("_three_kinds")
@pytest.mark.parametrize(
    ("arguments", "shown", "last"),
    [
        ((), ("often", "twice", "once"), "6 dead letters"),
        (("--limit", "3"), ("often", "twice", "once"), "6 dead letters"),
        (("--limit", "2"), ("often", "twice"), "6 dead letters; left out: 1 row of the fewest (--limit)"),
        (("--limit", "1"), ("often",), "6 dead letters; left out: 2 rows of the fewest (--limit)"),
        (("t", "--limit", "2"), ("twice", "once"), "6 dead letters; shown are the newest 2 (--limit)"),
    ],
)
def test_a_list_that_is_cut_says_what_is_left_out(
    arguments: tuple[str, ...], shown: tuple[str, ...], last: str
) -> None:
    done = CliRunner().invoke(app, ["dlq", "list", *arguments])
    assert done.exit_code == 0, done.output
    _, *rows, end = done.output.splitlines()
    assert tuple(row.split()[-1] for row in rows) == shown
    assert end == last
