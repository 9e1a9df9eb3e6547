"""For chat gateways: publish events, ask what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dw_client.transport import Transport
from dw_contracts.http.ingest import Accepted, BatchResult, EventStatus, InboundEvent


class GatewayClient(Transport):
    """`base_url` of ingest and a gateway key. A repeat has one effect: publish again when in doubt."""

    async def publish(self, event: InboundEvent, *, traceparent: str | None = None) -> Accepted:
        """One event; returns after Kafka has acknowledged it."""
        body = event.model_dump(mode="json", exclude_defaults=True)
        return Accepted.model_validate(
            await self.call("POST", "/v1/events", json=body, traceparent=traceparent)
        )

    async def publish_batch(
        self, events: Sequence[InboundEvent | dict[str, Any]], *, traceparent: str | None = None
    ) -> BatchResult:
        """Up to 1,000 events. Look at `results`: rows are judged one by one."""
        rows = [
            e if isinstance(e, dict) else e.model_dump(mode="json", exclude_defaults=True) for e in events
        ]
        answer = await self.call("POST", "/v1/events", json={"events": rows}, traceparent=traceparent)
        return BatchResult.model_validate(answer)

    async def status(self, event_id: UUID) -> EventStatus:
        """What became of one of the key's own events."""
        return EventStatus.model_validate(await self.call("GET", f"/v1/events/{event_id}"))
