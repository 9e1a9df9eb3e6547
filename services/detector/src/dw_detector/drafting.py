"""`digital_worker:skill_draft`: a skill body by a model, through the gate, checked, one repair try (R61, D9).

What it makes is never more than a proposal. Where the gate refuses, the model is away or its answer does not fit, there
is no draft, and the template stands in: a person sees a proposal in any case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from pydantic import Field, ValidationError

from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_contracts.model import Contract
from dw_detector.answer import unfenced
from dw_detector.detect import Answer, InvalidAnswer
from dw_detector.form import form_of
from dw_detector.gate.access import AccessGate
from dw_detector.gate.calls import Caller, Completion, Form, GateRefused, ModelCall
from dw_detector.model_provider import MOST_OF_A_BAD_ANSWER
from dw_detector.prompts import PromptBook
from dw_learning import scan
from dw_learning.gate.features import SKILL_DRAFT
from dw_learning.prompts import SKILL_DRAFT as DRAFT_PROMPT
from dw_learning.prompts import Data, Prompt, render
from dw_learning.skill_draft_check import MAX_DRAFT_CHARS, faults_of_draft
from dw_runtime import Transient
from dw_runtime.logs import log

DEADLINE_SECONDS: Final = 110.0  # of one draft with its tries: well below what counts as stuck


class _Draft(Contract):
    body_md: str = Field(min_length=1, max_length=2 * MAX_DRAFT_CHARS)


DRAFT: Final = Form("skill_draft", "The body of the skill.", form_of(_Draft, {"body_md": "Markdown"}))


@dataclass(frozen=True, slots=True)
class Drafted:
    """A body in the strict format, and who wrote it under which prompt."""

    body: str
    provider: str
    model: str
    prompt_version: str


@dataclass(frozen=True, slots=True)
class SkillDrafter:
    """One a process."""

    gate: AccessGate
    prompts: PromptBook

    async def draft(self, caller: Caller, topic: str, said: Sequence[str]) -> Drafted | None:
        """None where no draft is to be had now; StoreUnavailable where nobody can count (G34)."""
        if any(scan.scan_secrets(text) for text in (topic, *said)):
            return None  # G26: it is not sent; policy blocks it
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                return await self._drafted(caller, topic, said)
        except GateRefused as error:
            why: str = error.refusal.reason
        except InvalidAnswer:
            why = "unfit"
        except (Transient, TimeoutError):
            why = "unavailable"
        log.info("draft.by_template", decision_id=str(caller.decision_id), reason=why)
        return None

    async def procedures(self, caller: Caller, answer: Answer) -> Answer:
        """An answer whose procedures are written as skills; those that could not be are left as they were said."""
        drafts = {
            at: drafted
            for at, item in enumerate(answer.items)
            if item.kind is ItemKind.SKILL_PROCEDURE
            and (drafted := await self.draft(caller, item.key, (item.text,))) is not None
        }
        if not drafts:
            return answer
        items = tuple(_written(item, drafts.get(at)) for at, item in enumerate(answer.items))
        version = f"{answer.prompt_version}+{next(iter(drafts.values())).prompt_version}"
        return replace(answer, items=items, prompt_version=version)

    async def _drafted(self, caller: Caller, topic: str, said: Sequence[str]) -> Drafted:
        prompt = await self.prompts.prompt(DRAFT_PROMPT)
        data = {"topic": (Data("topic", topic),), "said": tuple(Data("said", text) for text in said)}
        asked = render(prompt, data)
        done = await self._ask(caller, prompt, said, asked)
        try:
            return _read(done, prompt, said)
        except InvalidAnswer as error:
            again = f"That does not fit: {error}. Answer with the JSON alone."
            bad = done.text[:MOST_OF_A_BAD_ANSWER] or "(nothing)"
            return _read(await self._ask(caller, prompt, said, asked, bad, again), prompt, said)

    async def _ask(self, caller: Caller, prompt: Prompt, said: Sequence[str], *turns: str) -> Completion:
        fits = partial(_fits, said)
        call = ModelCall(SKILL_DRAFT, caller, prompt.system, turns, prompt.name, DRAFT, fits)
        return await self.gate.complete(call)


def _read(done: Completion, prompt: Prompt, said: Sequence[str]) -> Drafted:
    return Drafted(_body_of(done.text, said), done.provider, done.model, prompt.name)


def _body_of(text: str, said: Sequence[str]) -> str:
    try:
        body = _Draft.model_validate_json(unfenced(text)).body_md.strip()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InvalidAnswer(f"{'.'.join(map(str, first['loc'])) or 'answer'}: {first['type']}") from None
    if faults := faults_of_draft(body, said):
        raise InvalidAnswer("; ".join(faults))
    return body


def _fits(said: Sequence[str], text: str) -> bool:
    try:
        _body_of(text, said)
    except InvalidAnswer:
        return False
    return True


def _written(item: DetectionItem, drafted: Drafted | None) -> DetectionItem:
    return item if drafted is None else item.model_copy(update={"text": drafted.body})
