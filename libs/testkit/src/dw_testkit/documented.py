"""Examples of a document, run: each block of shell is followed by a block of JSON that says what comes back."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

ANYTHING: Final = "…"
_BLOCK: Final = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A command as a reader would paste it, and the answer that the document promises."""

    command: str
    answer: Any


def examples_of(text: str) -> list[Example]:
    """All of them, in order. Every command has its answer right below it."""
    blocks = [(match[1], match[2]) for match in _BLOCK.finditer(text)]
    assert [kind for kind, _ in blocks] == ["sh", "json"] * (len(blocks) // 2), "a command without its answer"
    return [Example(blocks[at][1], json.loads(blocks[at + 1][1])) for at in range(0, len(blocks), 2)]


async def run_example(example: Example, variables: Mapping[str, str]) -> Any:
    """What the command prints, as JSON. `variables` is all that it gets beside PATH."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **variables}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        "bash", "-eu", "-o", "pipefail", "-c", example.command, stdout=pipe, stderr=pipe, env=env
    )
    said, wrong = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, (example.command, wrong.decode())
    return json.loads(said)


def misfits(promised: Any, came: Any, at: str = "$") -> list[str]:
    """Where an answer is not what the document says. The sign … stands for any value, and as a key for more fields."""
    if promised == ANYTHING:
        return []
    if isinstance(promised, dict) and isinstance(came, dict):
        strange = promised.keys() - came.keys() - {ANYTHING}
        strange |= set() if ANYTHING in promised else came.keys() - promised.keys()
        odd = [f"{at}.{key} is in one of them" for key in strange]
        both = promised.keys() & came.keys()
        return odd + [wrong for key in both for wrong in misfits(promised[key], came[key], f"{at}.{key}")]
    if isinstance(promised, list) and isinstance(came, list) and len(promised) == len(came):
        pairs = enumerate(zip(promised, came, strict=True))
        return [wrong for n, (one, other) in pairs for wrong in misfits(one, other, f"{at}[{n}]")]
    return [] if promised == came else [f"{at}: {promised!r} is promised, {came!r} came"]


async def run_document(
    text: str, variables: dict[str, str], take: Callable[[Any], Mapping[str, str]], *, seconds: float = 60.0
) -> list[str]:
    """Run every example in order; what a later one needs `take` finds in an answer. What the document promises may
    come a moment later: a command that does not fit yet is run again. Gives what did not come, with its command."""
    wrong: list[str] = []
    for example in examples_of(text):
        until = time.monotonic() + seconds
        while found := misfits(example.answer, came := await run_example(example, variables)):
            if time.monotonic() > until:
                wrong += [f"{example.command}{line}" for line in found]
                break
            await asyncio.sleep(0.5)
        variables |= take(came)
    return wrong
