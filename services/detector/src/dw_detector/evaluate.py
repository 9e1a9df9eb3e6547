"""`python -m dw_detector.evaluate`: questions as JSON lines on standard input, answers in their order on standard
output. `dw eval --provider` runs it: no other process may ask a provider, or read its key (G1).

A line in is {"text", "prev"}, a line out {"items"} or, where no answer fits, {"unfit": why}. Status 1 with one line on
standard error where the model cannot be asked, 2 where settings do not fit.
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import Sequence
from typing import Any, Final

import orjson

from dw_detector.adapters.http import open_client
from dw_detector.detect import InvalidAnswer, Question
from dw_detector.gate.build import one_target
from dw_detector.gate.calls import Caller, CallFailed
from dw_detector.gate.uncounted import Uncounted
from dw_detector.model_provider import ModelProvider
from dw_detector.settings import Settings
from dw_learning.prompts import Prompt
from dw_learning.prompts_shipped import SHIPPED
from dw_runtime import BadSettings, Handle, load_settings

AT_ONCE: Final = 8
NOBODY: Final = Caller(uuid.UUID(int=0), uuid.UUID(int=0), uuid.UUID(int=0))


class Shipped:
    """The prompts of the product: an evaluation needs no database."""

    async def prompt(self, key: str) -> Prompt:
        """As a new database has it active."""
        return SHIPPED[key]


async def answers(settings: Settings, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """In the order of the rows. CallFailed where the model cannot be asked."""
    async with open_client(settings) as client:
        handle: Handle[Any] = Handle("model client")
        handle.set(client)
        gate = Uncounted(one_target(settings, handle), settings.timeout_seconds)
        provider, places = (
            ModelProvider(gate, Shipped()),
            asyncio.Semaphore(min(AT_ONCE, settings.concurrency)),
        )

        async def answer(row: dict[str, Any]) -> dict[str, Any]:
            prev = row.get("prev")
            question = Question(row["text"], prev, "agent" if prev else None, "message_in", NOBODY)
            async with places:
                try:
                    told = await provider.detect(question)
                except InvalidAnswer as error:
                    return {"unfit": str(error)}
            return {"items": [item.model_dump(mode="json") for item in told.items]}

        tasks = [asyncio.ensure_future(answer(row)) for row in rows]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()


def main() -> int:
    """Status of the process."""
    try:
        settings = load_settings(Settings)
        rows = [orjson.loads(line) for line in sys.stdin.buffer]
        found = asyncio.run(answers(settings, rows))
    except (BadSettings, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except CallFailed as error:
        sys.stderr.write(f"{error.error.value}: {error}\n")
        return 1
    sys.stdout.buffer.writelines(orjson.dumps(each) + b"\n" for each in found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
