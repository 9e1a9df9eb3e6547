"""The use case of ingest: who may speak here, what must not travel on, what is written (C46, C49, C53)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dw_contracts.events.chat import ChatEvent, Sender
from dw_contracts.http.ingest import InboundEvent
from dw_contracts.http.problem import FieldError, Problem, ProblemCode, problem
from dw_contracts.ids import ChannelId, OrgId, RoleAgentId, event_id_of, partition_key
from dw_contracts.topics import CHAT_EVENTS
from dw_ingest.adapters.directory import Binding, Directory, GatewayKey
from dw_ingest.claim import take_claim
from dw_ingest.limits import RateLimits
from dw_ingest.read import not_of_this_key, read_event
from dw_ingest.redact import Pace, Redacted, redact_event, secret_ids
from dw_learning.seal import SealKeys, seal
from dw_runtime import Outgoing, ProblemError, Publisher, current_traceparent

ROWS_PER_SLICE = 25  # a slice of a batch holds the event loop for a few milliseconds at most

RowResult = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ingest:
    """Everything that the routes need."""

    directory: Directory
    publisher: Publisher
    seal_keys: SealKeys
    limits: RateLimits
    publish_timeout: float
    clock: Callable[[], datetime]
    pepper: str = ""

    async def authenticate(self, authorization: str) -> GatewayKey:
        """The gateway's key, or 401. Says nothing about why."""
        scheme, _, secret = authorization.partition(" ")
        key = await self.directory.gateway_key(secret.strip()) if scheme.lower() == "bearer" else None
        if key is None:
            raise ProblemError(
                problem(ProblemCode.UNAUTHENTICATED, 401, "send Authorization: Bearer with a gateway key"),
                {"WWW-Authenticate": 'Bearer realm="ingest"'},
            )
        return key

    async def accept(self, key: GatewayKey, rows: Sequence[Any]) -> list[RowResult]:
        """One result a row. Rows that are accepted are in Kafka, acknowledged, when this returns."""
        self._within_rate(key, len(rows))
        bindings = await self.directory.bindings(key)
        now = self.clock()
        results: list[RowResult] = []
        outgoing: list[Outgoing] = []
        traceparent = current_traceparent()
        pace = Pace()
        for index, row in enumerate(rows):
            if index and index % ROWS_PER_SLICE == 0:
                await asyncio.sleep(0)
            found = _resolve(read_event(row), bindings)
            if not isinstance(found, Problem):
                found = not_of_this_key(row, key.org_id, found[1].agents) or found
            if isinstance(found, Problem):
                results.append(
                    {"index": index, "status": found.status, "problem": found.model_dump(mode="json")}
                )
                continue
            inbound, binding = found
            events = await build_events(inbound, binding, key, now, pace, self.pepper)
            outgoing += [self._outgoing(event, traceparent) for event in events]
            results.append({"index": index, "status": 202, "events": [_named(event) for event in events]})
        await self._publish(outgoing)
        return results

    def _within_rate(self, key: GatewayKey, count: int) -> None:
        wait = self.limits.take(key.key_id, key.org_id, count)
        if wait > 0:
            detail = f"over the limit of this key or org; try again in {wait:.1f} s"
            raise ProblemError(
                problem(ProblemCode.RATE_LIMITED, 429, detail),
                headers={"Retry-After": str(max(1, round(wait)))},
            )

    def _outgoing(self, event: ChatEvent, traceparent: str | None) -> Outgoing:
        return Outgoing(
            topic=CHAT_EVENTS,
            key=partition_key(event.org_id, event.role_agent_id),
            value=seal(event, self.seal_keys),
            ce_type=ChatEvent.ce_type,
            ce_id=str(event.event_id),
            traceparent=traceparent,
        )

    async def _publish(self, outgoing: Sequence[Outgoing]) -> None:
        """Accepted means durable: without an acknowledgement in time nothing was promised, and a repeat is safe."""
        if not outgoing:
            return
        try:
            async with asyncio.timeout(self.publish_timeout):
                await self.publisher.publish(outgoing)
        except TimeoutError:
            detail = "Kafka has not acknowledged in time; send the same events again, repeats have one effect"
            raise ProblemError(
                problem(ProblemCode.UNAVAILABLE, 503, detail), headers={"Retry-After": "2"}
            ) from None


def _resolve(
    inbound: InboundEvent | Problem, bindings: dict[str, Binding]
) -> tuple[InboundEvent, Binding] | Problem:
    if isinstance(inbound, Problem):
        return inbound
    if fields := secret_ids(inbound):
        errors = tuple(
            FieldError(at=field, problem="holds a credential: send the platform's own id") for field in fields
        )
        return problem(ProblemCode.INVALID_BODY, 422, "an id of the event holds a secret", errors)
    binding = bindings.get(inbound.channel)
    if binding is None:
        return problem(ProblemCode.FORBIDDEN, 403, "this key does not speak for that channel")
    if binding.platform != inbound.sender.platform:
        return problem(
            ProblemCode.FORBIDDEN, 403, f"that channel is on {binding.platform}, not where the sender is"
        )
    if binding.names_another_workspace(inbound.sender.workspace_ref):
        return problem(ProblemCode.FORBIDDEN, 403, "that channel is in another workspace than the sender")
    return inbound, binding


async def build_events(
    inbound: InboundEvent, binding: Binding, key: GatewayKey, now: datetime, pace: Pace, pepper: str = ""
) -> list[ChatEvent]:
    """One event for each role-agent that listens (C49); raw sender fields only (C47)."""
    inbound, claim = take_claim(inbound, key, pepper)
    clean: Redacted = await redact_event(inbound, pace)
    sender = Sender.model_validate(
        {**inbound.sender.model_dump(), "display_name": clean.display_name}, from_attributes=False
    )
    granted = (sender.workspace_ref, sender.external_user_id) in binding.granted_bots
    return [
        ChatEvent(
            schema_version=1,
            event_id=event_id_of(
                OrgId(key.org_id),
                RoleAgentId(agent),
                ChannelId(binding.channel_id),
                inbound.kind.value,
                inbound.message_ref,
                inbound.revision,
            ),
            org_id=key.org_id,
            role_agent_id=agent,
            channel_id=binding.channel_id,
            kind=inbound.kind,
            message_ref=inbound.message_ref,
            revision=inbound.revision,
            sender=sender,
            flags=inbound.flags,
            text=clean.text,
            reply_to=clean.reply_to,
            thread_ref=inbound.thread_ref,
            correction=clean.correction,
            tool=clean.tool,
            redactions=clean.redactions,
            injection_suspect=clean.injection_suspect,
            claim=claim,
            imported=inbound.imported,
            learning=binding.learning,
            bot_granted=granted,
            gateway_proves_sender=key.proves_sender,
            occurred_at=inbound.occurred_at or now,
            received_at=now,
        )
        for agent in binding.agents
    ]


def _named(event: ChatEvent) -> dict[str, str]:
    return {"event_id": str(event.event_id), "role_agent_id": str(event.role_agent_id)}
