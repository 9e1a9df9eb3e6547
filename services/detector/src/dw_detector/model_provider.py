"""A model as a provider: rendered, asked through the gate, checked, one repair try, then a dead letter (D9)."""

from __future__ import annotations

from typing import Final

from dw_detector.answer import read_answer
from dw_detector.detect import Answer, InvalidAnswer, Question
from dw_detector.gate.access import AccessGate
from dw_detector.gate.calls import Completion, ModelCall
from dw_detector.prompt import PROMPT_VERSION, SYSTEM, render
from dw_learning import scan
from dw_learning.gate.cache_key import cache_key
from dw_learning.gate.features import LEARNING_DETECT

WITH_SECRET: Final = Answer(items=(), provider="none", model="", prompt_version="")
MOST_OF_A_BAD_ANSWER: Final = 4_000


class ModelProvider:
    """`digital_worker:learning_detect` over whatever targets the gate has."""

    def __init__(self, gate: AccessGate) -> None:
        self._gate = gate

    def cache_key(self, question: Question) -> bytes:
        """Equal for questions that would be asked alike. Org by org only (G18)."""
        model = self._gate.targets.first[0].model
        return cache_key(
            LEARNING_DETECT.key, PROMPT_VERSION, model, [SYSTEM, render(question), question.kind]
        )

    async def detect(self, question: Question) -> Answer:
        """Ask; if the answer does not fit, say so once and ask again. A text with a secret is not sent at all (G26):
        policy blocks it by the text, whatever a model would say."""
        if any(scan.scan_secrets(text) for text in (question.text, question.reply_text) if text):
            return WITH_SECRET
        asked = render(question)
        done = await self._ask(question, asked)
        try:
            return _answer(done)
        except InvalidAnswer as error:
            again = f"That does not fit the schema ({error}). Answer with the JSON alone."
            return _answer(
                await self._ask(question, asked, done.text[:MOST_OF_A_BAD_ANSWER] or "(nothing)", again)
            )

    async def _ask(self, question: Question, *turns: str) -> Completion:
        if question.caller is None:
            raise ValueError("a model is asked for somebody: the question names no caller")
        call = ModelCall(LEARNING_DETECT, question.caller, SYSTEM, turns, PROMPT_VERSION)
        return await self._gate.complete(call)


def _answer(done: Completion) -> Answer:
    return Answer(
        items=read_answer(done.text), provider=done.provider, model=done.model, prompt_version=PROMPT_VERSION
    )
