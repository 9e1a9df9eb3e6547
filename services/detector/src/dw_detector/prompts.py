"""Prompts as they are active now, from the database (R66). A change counts within seconds, for every replica."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dw_detector.detect import Question
from dw_learning.prompts import Data, Prompt
from dw_runtime import Handle, Transient
from dw_store.database import Database
from dw_store.prompts import active_prompts

FRESH_SECONDS: Final = 2.0


@dataclass(slots=True)
class PromptBook:
    """Read at most every `seconds`; `monotonic` counts them."""

    database: Handle[Database]
    seconds: float = FRESH_SECONDS
    monotonic: Callable[[], float] = time.monotonic
    _kept: Mapping[str, Prompt] = field(default_factory=dict)
    _read_at: float = float("-inf")
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def prompt(self, key: str) -> Prompt:
        """The active version. Transient where there is none: nobody is asked with a text that nobody approved."""
        async with self._reading:
            if self.monotonic() - self._read_at >= self.seconds:
                self._kept = await active_prompts(self.database())
                self._read_at = self.monotonic()
        if (found := self._kept.get(key)) is None:
            raise Transient(f"no version of the prompt {key} is active: dw prompts activate")
        return found


def data_of(question: Question) -> dict[str, Sequence[Data]]:
    """A question's texts, as data."""
    data: dict[str, Sequence[Data]] = {"message": (Data("message", question.text),)}
    if question.reply_text:
        data["answered"] = (Data("answered", question.reply_text, by=question.reply_author or "somebody"),)
    return data
