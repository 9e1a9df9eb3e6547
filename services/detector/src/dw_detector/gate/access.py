"""The way of one call: place, reservation, tries, fallbacks, settlement. Whatever ends it, nothing stays held."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_detector.detect import InvalidAnswer, NoAnswer
from dw_detector.gate.billed import booked_failure, marked
from dw_detector.gate.booking import booked, new_call
from dw_detector.gate.calls import CallFailed, Completion, GateRefused, ModelCall, Target, Targets
from dw_detector.gate.holds import Holds
from dw_detector.gate.observe import Observer
from dw_detector.gate.proof import PLAIN, Proof, Trouble, tell
from dw_detector.gate.slots import FairSlots
from dw_detector.gate.suspects import Suspects, name_of
from dw_learning.gate.breaker import Breaker
from dw_learning.gate.failures import (
    RETRIES,
    CallError,
    is_of_the_question,
    is_retryable,
    says_nothing_of_the_target,
    wait_seconds,
)
from dw_learning.gate.features import scopes_of
from dw_learning.gate.prices import PriceTable, most_tokens, version_taken
from dw_learning.gate.refusals import Refusal
from dw_runtime import Handle, Transient
from dw_runtime.logs import log
from dw_store.database import Database
from dw_store.errors import StoreConflict, StoreUnavailable
from dw_store.gate import Budget, CallResult, NewCall, reserve, settle
from dw_store.gate_settings import record_settings
from dw_store.ledger import OtherPrices, record_prices

SETTLE_SECONDS: Final = 60.0  # after which a call that nobody settled counts as lost
LONGEST_RATE_WAIT: Final = 65.0  # a minute's window and a little
OF_A_MODEL: Final = frozenset({"model_not_allowed", "region_not_allowed"})  # another one may be asked


@dataclass(slots=True)
class AccessGate:
    """One a process. `clock` is the wall clock in UTC, `monotonic` counts seconds, `chance` gives 0 to 1. `regions` says
    where models work, `settings` what is on record of how this process calls them."""

    database: Handle[Database]
    targets: Targets
    prices: PriceTable
    budget: Budget
    slots: FairSlots
    observer: Observer
    clock: Callable[[], datetime]
    chance: Callable[[], float]
    timeout_seconds: float
    breaker: Breaker = field(default_factory=Breaker)
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    breakers: dict[str, Breaker] = field(default_factory=dict)
    holds: Holds = field(default_factory=Holds)
    suspects: Suspects = field(default_factory=Suspects)
    regions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_on_record: bool = False
    proof: Proof = field(init=False)

    def __post_init__(self) -> None:
        self.proof = Proof(self.monotonic)

    async def complete(self, call: ModelCall) -> Completion:
        """Ask the targets in order. GateRefused: the org's limits; InvalidAnswer: nobody can answer this question;
        Transient: nobody is there; StoreUnavailable: nobody can count, so nobody is asked (G34)."""
        try:
            return await self._answered(call)
        except StoreUnavailable:
            self.observer.uncounted(call.feature.key)
            raise

    async def _answered(self, call: ModelCall) -> Completion:
        await self.keep_record()
        error = await self._each(call, self.targets.first)
        if isinstance(error, CallFailed) and (others := self.targets.after(error.error)):
            error = await self._each(call, others)
        if isinstance(error, Completion):
            return error
        if isinstance(error, CallFailed) and error.error is CallError.UNANSWERED:
            self.suspects.forget(call)
            log.warning("question.given_up", decision_id=str(call.caller.decision_id), why=str(error))
            raise NoAnswer(str(error))
        if isinstance(error, CallFailed) and is_of_the_question(error.error):
            raise InvalidAnswer(f"no model takes this question: {error.error.value}: {error}")
        raise Transient(
            f"no model can be asked now: {error or 'breakers are open, or it rests after timeouts'}"
        )

    async def keep_record(self) -> None:
        """What the version of our prices means, and what we call under, stands in the database before the first call
        (G22, G33). Readiness asks it too: Transient where the version means other prices."""
        if self.is_on_record:
            return
        try:
            await record_prices(self.database(), self.prices, self.clock())
        except OtherPrices as error:
            log.error("prices.version_taken", version=str(error), setting="DW_DETECTOR_PRICE_VERSION")
            raise Transient(version_taken(str(error))) from None
        if self.settings:
            await record_settings(self.database(), self.settings, self.clock())
        self.is_on_record = True

    async def _each(self, call: ModelCall, targets: tuple[Target, ...]) -> Completion | CallFailed | None:
        """What the first one says that can; else the last trouble, None if no breaker let us in."""
        trouble: CallFailed | None = None
        refused: Refusal | None = None
        closed = False
        before = ""
        for target in targets:
            try:
                return await self._tries(call, target, before)
            except GateRefused as error:
                if not error.refusal.scope.startswith("model:") and error.refusal.reason not in OF_A_MODEL:
                    raise
                refused = refused or error.refusal
            except CallFailed as error:
                if trouble is None or error.error is not CallError.UNANSWERED:
                    trouble = error
            except _Closed:
                closed = True
                continue
            before = target.model
        if trouble is None and refused is not None:
            raise GateRefused(refused)
        if closed and trouble is not None and trouble.error is CallError.UNANSWERED:
            return None  # another one may still answer
        return trouble

    async def _tries(self, call: ModelCall, target: Target, fallback_from: str) -> Completion:
        attempt = 1
        while True:
            self._may_ask(call, target)
            began = self.monotonic()
            try:
                done = await self._once(call, target, attempt, fallback_from)
            except (CallFailed, InvalidAnswer) as error:
                trouble = await self._explained(call, target, began, error)
            else:
                self.proof.answered(target.model)
                return done
            if not isinstance(trouble, CallFailed):
                raise trouble
            if trouble.error is CallError.PARAMETER:
                continue  # at once: it is asked in another form now
            if attempt > RETRIES or not is_retryable(trouble.error):
                tell(target.model, trouble)
                raise trouble
            await self.sleep(wait_seconds(attempt, self.chance()))
            attempt += 1

    async def _explained(self, call: ModelCall, target: Target, began: float, trouble: Trouble) -> Trouble:
        """Whose fault it is. What is refused whatever is asked counts for the breaker."""
        plain = replace(call, turns=(PLAIN,))
        found = await self.proof.explained(
            target.model, began, trouble, lambda: self._once(plain, target, 1, "")
        )
        if found is not trouble:
            self._set(target, self._breaker(target).failed(self.monotonic()))
        return found

    def _may_ask(self, call: ModelCall, target: Target) -> None:
        match self.suspects.verdict(call, target, self.monotonic()):
            case "give_up":
                raise CallFailed(CallError.UNANSWERED, f"{target.model} never answers it in time")
            case "rest":
                raise _Closed

    async def _once(self, call: ModelCall, target: Target, attempt: int, fallback_from: str) -> Completion:
        body = target.body(call)
        tokens = most_tokens(body)
        if tokens > call.feature.max_input_tokens:
            raise CallFailed(CallError.CONTEXT_WINDOW, "the request is longer than the feature allows")
        until = self.monotonic() + LONGEST_RATE_WAIT
        held = False
        while True:
            made = new_call(
                call, target, attempt, fallback_from, self.prices.version, self.regions, self.timeout_seconds
            )
            booking = _Booking()
            try:
                async with self.slots.place(call.caller.org_id):
                    refusal = await self._admitted(call, target, made, tokens)
                    if held and not (refusal and refusal.is_held):
                        self.holds.next(call.caller.org_id)  # whoever is behind may pass too, or give up
                    if refusal is None:
                        return await self._send(call, target, body, booking, self._most(call, target, tokens))
            finally:
                if booking.result is not None:  # the place is free for the next call by now
                    await asyncio.shield(self._settle(call.caller.org_id, made.call_id, booking.result))
            held = refusal.is_held
            if not (held or refusal.is_passing) or self.monotonic() > until:
                raise GateRefused(refusal)
            await (self.holds.turn(call.caller.org_id) if held else self.sleep(self._rate_wait(refusal)))

    async def _admitted(self, call: ModelCall, target: Target, made: NewCall, tokens: int) -> Refusal | None:
        """Past the breaker and the counters; None if nothing stands before it."""
        if not self._enter(target):
            raise _Closed
        refusal: Refusal | None = None
        admitted = False
        try:
            refusal = await self._reserve(call, target, made, tokens)
            admitted = refusal is None
        finally:
            if not admitted:
                self._set(target, self._breaker(target).left())
        return refusal

    def _rate_wait(self, refusal: Refusal) -> float:
        if refusal.resets_at is None:
            return 0.2
        return max(0.05, (refusal.resets_at - self.clock()).total_seconds() + self.chance())

    async def _reserve(self, call: ModelCall, target: Target, made: NewCall, tokens: int) -> Refusal | None:
        caller = call.caller
        told = await reserve(
            self.database(),
            caller.org_id,
            scopes_of(call.feature, caller.role_agent_id, target.model),
            made,
            cost=self._most(call, target, tokens),
            tokens=tokens + call.feature.max_output_tokens,
            budget=self.budget,
            now=self.clock(),
        )
        self.observer.warned(caller.org_id, told.warned)
        if isinstance(told, Refusal):
            self.observer.refused(call.feature.key, told)
            return told
        return None

    def _most(self, call: ModelCall, target: Target, tokens: int) -> int:
        return self.prices.most(target.model, tokens, call.feature.max_output_tokens)

    async def _send(
        self, call: ModelCall, target: Target, body: bytes, booking: _Booking, most: int
    ) -> Completion:
        """The call itself. It is booked whatever becomes of it, also when we are told to stop."""
        began = self.monotonic()
        result = CallResult("failed", most, estimated=True, error_type="cancelled")
        span = self.observer.begin(call, target)
        try:
            try:
                async with asyncio.timeout(call.feature.seconds(self.timeout_seconds)):
                    done = await target.send(body)
            except TimeoutError:
                raise CallFailed(CallError.TIMEOUT, "no answer in time") from None
            result = marked(call, done, booked(self.prices, self.observer, call, target, done, most))
            self._set(target, self._breaker(target).succeeded())
            self.suspects.answered(call, target, self.monotonic())
            return replace(done, provider=target.provider, model=target.model)
        except CallFailed as error:
            result = booked_failure(self.prices, target.model, error, most)
            self._failed(call, target, error.error, began)
            raise
        except InvalidAnswer:
            result = replace(result, error_type="invalid_envelope")
            self._set(target, self._breaker(target).left())
            raise
        except BaseException:
            self._set(target, self._breaker(target).left())
            raise
        finally:
            booking.result = replace(result, latency_ms=round((self.monotonic() - began) * 1000))
            self.observer.end(span, call, target, booking.result)

    async def _settle(self, org_id: UUID, call_id: UUID, result: CallResult) -> None:
        """Where it cannot be booked now, it is booked at what was held, a little later, as lost."""
        try:
            await settle(self.database(), org_id, call_id, result, self.clock())
        except (StoreUnavailable, StoreConflict) as error:
            log.warning("budget.not_settled", call_id=str(call_id), reason=type(error).__name__)
        self.holds.next(org_id)

    def _breaker(self, target: Target) -> Breaker:
        return self.breakers.get(target.model, self.breaker)

    def _set(self, target: Target, breaker: Breaker) -> None:
        self.breakers[target.model] = breaker
        self.observer.breaker(target.model, breaker.state(self.monotonic()))

    def _enter(self, target: Target) -> bool:
        entered = self._breaker(target).enter(self.monotonic())
        if entered is not None:
            self._set(target, entered)
        return entered is not None

    def _failed(self, call: ModelCall, target: Target, error: CallError, began: float) -> None:
        breaker, now = self._breaker(target), self.monotonic()
        if says_nothing_of_the_target(error):
            self._set(target, breaker.left())
            return
        timeout = error is CallError.TIMEOUT
        if timeout and breaker.state(now) == "closed":
            self.suspects.timed_out(call, target, began, now)
        self._set(target, breaker.failed(now, name_of(call) if timeout else ""))
        if self._breaker(target).state(now) != "closed":
            self.suspects.acquit(target.model)


@dataclass(slots=True)
class _Booking:
    """How a call ended, once it was made."""

    result: CallResult | None = None


class _Closed(Exception):
    """The target's breaker lets nobody in, or this question rests there."""
