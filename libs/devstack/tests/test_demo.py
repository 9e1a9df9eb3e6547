"""The demo's runner: a step that did not happen is said and counted, and the next ones are played all the same."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NoReturn

from rich.console import Console

from dw_devstack.demo.play import Demo, expect
from dw_devstack.demo.stage import Doors
from dw_devstack.kafka_login import KafkaLogin

NOWHERE = "http://127.0.0.1:9"
DOORS = Doors(NOWHERE, NOWHERE, NOWHERE, "t", KafkaLogin("127.0.0.1:9", "operator", "p"), "", Path(), Path())


async def happens() -> str:
    return "seen this\nand that"


async def does_not() -> str:
    expect("an empty pack", holds=False)
    return "never said"


async def breaks() -> NoReturn:
    raise KeyError("bug")


async def test_the_demo_counts_what_did_not_happen_and_goes_on() -> None:
    seen = io.StringIO()
    demo = Demo(DOORS, Console(file=seen, width=140))
    for title, step in (("1. a", happens), ("2. b", does_not), ("3. c", breaks), ("4. d", happens)):
        await demo.step(title, step)
    assert demo.failed == 2
    text = seen.getvalue()
    assert text.count("✓ seen this") == text.count("✓ and that") == 2
    assert "did not happen: NotSeen: an empty pack" in text
    assert "did not happen: KeyError: 'bug'" in text
    assert "never said" not in text
