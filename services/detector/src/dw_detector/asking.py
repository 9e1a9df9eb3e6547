"""One answer for one event, from where it costs least: the cache, a model through the gate, a stand-in (C77, G17)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.detections import DetectionItem
from dw_contracts.ids import OrgId
from dw_detector.detect import Answer, InvalidAnswer, Provider, Question, question_of
from dw_detector.drafting import SkillDrafter
from dw_detector.gate.calls import GateRefused
from dw_learning.gate.features import LEARNING_DETECT, actor_of
from dw_learning.gate.refusals import Refusal
from dw_learning.safe_items import safe_items
from dw_runtime import Handle, Transient
from dw_store.database import Database
from dw_store.detections import StoredAnswer, cached_answer, load_answers, store_answers

NO_CALL: Final = Answer(items=(), provider="none", model="", prompt_version="")


@dataclass(frozen=True, slots=True)
class Wait:
    """The org's own limit stands before it: not now (C77). Without a refusal: others of its agent wait, and it was not
    asked about."""

    refusal: Refusal | None = None
    at: datetime | None = None


Result = Answer | InvalidAnswer | Wait


class AnswerWriter:
    """Stores answers as they come, many at once where many wait. One is stored when `store` returns."""

    def __init__(self, database: Handle[Database]) -> None:
        self._database = database
        self._waiting: list[tuple[StoredAnswer, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def store(self, answer: StoredAnswer) -> None:
        """StoreUnavailable if it could not be kept."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            trouble: BaseException | None = None
            try:
                await store_answers(self._database(), [answer for answer, _ in batch])
            except Exception as error:  # noqa: BLE001  # whoever waits for it gets it
                trouble = error
            for _, done in batch:
                if not done.done():
                    done.set_exception(trouble) if trouble is not None else done.set_result(None)


@dataclass(frozen=True, slots=True)
class Asking:
    """One answer for one question, from where it costs least. `stand_in` is asked where the model is away and an
    operator has chosen not to wait; what it says is marked as degraded (G17). `drafter` writes procedures as skills."""

    provider: Provider
    database: Handle[Database]
    writer: AnswerWriter
    clock: Callable[[], datetime]
    cache_key: Callable[[Question], Awaitable[bytes]] | None = None
    cache_seconds: float = 0.0
    stand_in: Provider | None = None
    drafter: SkillDrafter | None = None

    async def answer(self, event: ChatEvent, traceparent: str | None) -> Result:
        """Kept before it is given, so that nothing is paid twice (C77). Raises Transient where it has to wait."""
        question = question_of(event, traceparent)
        key = await self.cache_key(question) if self.cache_key and self.cache_seconds > 0 else None
        answer = await self._from_cache(event, key)
        if answer is None:
            try:
                answer = await self._drafted(question, await self._ask(question))
            except InvalidAnswer as error:
                return error
            except GateRefused as error:
                return Wait(error.refusal, self.clock())
        answer = replace(answer, items=safe_items(answer.items))  # G26: before it is kept or told
        await self.writer.store(_stored(event, answer, None if answer.degraded else key))
        return answer

    async def known(self, event: ChatEvent) -> Answer | None:
        """What was answered before."""
        found = await load_answers(self.database(), [(OrgId(event.org_id), event.event_id)])
        return answer_of(found[event.event_id]) if event.event_id in found else None

    async def _ask(self, question: Question) -> Answer:
        try:
            return await self.provider.detect(question)
        except Transient:
            if self.stand_in is None:
                raise
            return replace(await self.stand_in.detect(question), degraded=True)

    async def _drafted(self, question: Question, answer: Answer) -> Answer:
        if self.drafter is None or question.caller is None or answer.degraded:
            return answer
        return await self.drafter.procedures(question.caller, answer)

    async def _from_cache(self, event: ChatEvent, key: bytes | None) -> Answer | None:
        if key is None:
            return None
        now = self.clock()
        since = now - timedelta(seconds=self.cache_seconds)
        found = await cached_answer(
            self.database(),
            event.org_id,
            key,
            since,
            now,
            decision_id=event.event_id,
            feature_key=LEARNING_DETECT.key,
            actor=actor_of(event.role_agent_id),
        )
        return answer_of(found) if found is not None else None


def _stored(event: ChatEvent, answer: Answer, cache_key: bytes | None) -> StoredAnswer:
    return StoredAnswer(
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        decision_id=event.event_id,
        items=[item.model_dump(mode="json") for item in answer.items],
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
        degraded=answer.degraded,
        cache_key=cache_key,
    )


def answer_of(stored: StoredAnswer) -> Answer:
    """A stored answer. It may have been stored by a version that looked at less (G26)."""
    return Answer(
        items=safe_items([DetectionItem.model_validate(item) for item in stored.items]),
        provider=stored.provider,
        model=stored.model,
        prompt_version=stored.prompt_version,
        degraded=stored.degraded,
    )
