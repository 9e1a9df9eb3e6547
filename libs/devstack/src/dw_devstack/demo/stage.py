"""What the demo plays on: two fresh orgs, their keys and clients, and what the operator may look into."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from dw_client import GatewayClient, PanelClient, RuntimeClient, new_traceparent
from dw_client.tracing import trace_id_of
from dw_contracts.events.chat import EventKind, Platform, ReplyTo
from dw_contracts.http.context import BuildContextRequest, ContextPack
from dw_contracts.http.ingest import InboundEvent, InboundSender
from dw_contracts.http.org_file import AppliedOrg, CreateOrg, OrgFile
from dw_devstack.kafka_login import KafkaLogin


@dataclass(frozen=True, slots=True)
class Doors:
    """Where the stack answers. The operator's login and the admin's database are for looking, not for the product."""

    ingest: str
    context: str
    panel: str
    installation_token: str
    operator: KafkaLogin
    admin_dsn: str
    traces: Path
    logs: Path
    keep_token: Callable[[str, str], None] = lambda org, token: None
    """Keeps the token of an org's owner where the commands find it."""


@dataclass(slots=True)
class Org:
    """One org of the demo and the clients of its people and machines."""

    code: str
    applied: AppliedOrg
    owner: PanelClient
    gateway: GatewayClient
    runtime: RuntimeClient
    tokens: dict[str, str]
    sent: int = 0
    event_ids: list[UUID] = field(default_factory=list)

    async def say(self, channel: str, text: str, *, account: str, **more: Any) -> Said:
        """A message in a channel, in a trace of its own."""
        self.sent += 1
        platform = Platform.SLACK
        event = InboundEvent(
            channel=str(self.applied.channels[channel]),
            kind=more.pop("kind", EventKind.MESSAGE_IN),
            message_ref=f"demo-{self.sent}",
            sender=InboundSender(
                platform=platform,
                workspace_ref=f"T-{self.code.split('-')[0].upper()}",
                external_user_id=account,
                display_name=more.pop("name", account),
                kind=more.pop("sender_kind", "human"),
            ),
            text=text,
            **more,
        )
        traceparent = new_traceparent()
        accepted = await self.gateway.publish(event, traceparent=traceparent)
        (written,) = accepted.events
        self.event_ids.append(written.event_id)
        return Said(written.event_id, trace_id_of(traceparent))

    async def pack(self, channel: str, *, message: str = "", at_least: int = 0) -> ContextPack:
        """What the AI runtime would get for a reply in that channel."""
        return await self.runtime.build_context(
            BuildContextRequest(
                role_agent="it_agent", channel=channel, message=message, at_least_version=at_least
            )
        )


@dataclass(frozen=True, slots=True)
class Said:
    """An accepted message."""

    event_id: UUID
    trace_id: str


def reply_of_agent(text: str) -> ReplyTo:
    """The agent's message that somebody answers."""
    return ReplyTo(message_ref="agent-1", author_kind="agent", text=text)


async def create(doors: Doors, file: OrgFile, owner: str) -> Org:
    """A fresh org from a file: its code gets a suffix, so that the demo can be played again and again."""
    code = f"{file.org}-{secrets.token_hex(3)}"
    file = file.model_copy(update={"org": code})
    async with PanelClient(doors.panel, doors.installation_token) as installer:
        first = file.users.get(owner)
        wanted = CreateOrg(
            org=code, name=file.name, owner=owner, owner_name=first.name if first is not None else ""
        )
        created = await installer.create_org(wanted)
    doors.keep_token(code, created.owner_token)
    panel = PanelClient(doors.panel, created.owner_token)
    applied = await panel.apply(file)
    tokens = {owner: created.owner_token, **applied.new_tokens}
    return Org(
        code=code,
        applied=applied,
        owner=panel,
        gateway=GatewayClient(doors.ingest, applied.new_keys["slack-gateway"]),
        runtime=RuntimeClient(doors.context, applied.new_keys["runtime"]),
        tokens=tokens,
    )
