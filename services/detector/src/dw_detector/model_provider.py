"""A model as a provider: rendered, asked through the gate, checked, one repair try, then a dead letter (D9)."""

from __future__ import annotations

from typing import Final, Protocol

from dw_detector.answer import ITEMS, fits, read_answer
from dw_detector.detect import Answer, InvalidAnswer, Question
from dw_detector.gate.calls import Completion, ModelCall, Targets
from dw_detector.prompts import data_of
from dw_learning import scan
from dw_learning.gate.cache_key import cache_key
from dw_learning.gate.features import LEARNING_DETECT
from dw_learning.prompts import LEARNING_DETECT as DETECT_PROMPT
from dw_learning.prompts import Prompt, render

WITH_SECRET: Final = Answer(items=(), provider="none", model="", prompt_version="")
MOST_OF_A_BAD_ANSWER: Final = 4_000


class Gate(Protocol):
    """AccessGate, or what stands in its place where labelled rows are scored."""

    @property
    def targets(self) -> Targets: ...

    async def complete(self, call: ModelCall) -> Completion: ...


class Prompts(Protocol):
    """Where the active version of a prompt comes from."""

    async def prompt(self, key: str) -> Prompt: ...


class ModelProvider:
    """`digital_worker:learning_detect` over whatever targets the gate has."""

    def __init__(self, gate: Gate, prompts: Prompts) -> None:
        self._gate = gate
        self._prompts = prompts

    async def cache_key(self, question: Question) -> bytes:
        """Equal for questions that would be asked alike. Org by org only (G18)."""
        model = self._gate.targets.first[0].model
        prompt = await self._prompts.prompt(DETECT_PROMPT)
        parts = [prompt.system, render(prompt, data_of(question)), question.kind]
        return cache_key(LEARNING_DETECT.key, prompt.name, model, parts)

    async def detect(self, question: Question) -> Answer:
        """Ask; if the answer does not fit, say so once and ask again. A text with a secret is not sent at all (G26):
        policy blocks it by the text, whatever a model would say."""
        if any(scan.scan_secrets(text) for text in (question.text, question.reply_text) if text):
            return WITH_SECRET
        prompt = await self._prompts.prompt(DETECT_PROMPT)
        asked = render(prompt, data_of(question))
        done = await self._ask(question, prompt, asked)
        try:
            return _answer(done, prompt)
        except InvalidAnswer as error:
            again = f"That does not fit the schema ({error}). Answer with the JSON alone."
            said = done.text[:MOST_OF_A_BAD_ANSWER] or "(nothing)"
            return _answer(await self._ask(question, prompt, asked, said, again), prompt)

    async def _ask(self, question: Question, prompt: Prompt, *turns: str) -> Completion:
        if question.caller is None:
            raise ValueError("a model is asked for somebody: the question names no caller")
        call = ModelCall(LEARNING_DETECT, question.caller, prompt.system, turns, prompt.name, ITEMS, fits)
        return await self._gate.complete(call)


def _answer(done: Completion, prompt: Prompt) -> Answer:
    return Answer(
        items=read_answer(done.text), provider=done.provider, model=done.model, prompt_version=prompt.name
    )
