"""Use case: what would become of a message, without storing anything (the panel's test bench, dw policy explain)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, EventKind, Learning, Platform, ReplyTo, Sender
from dw_contracts.events.detections import Detection
from dw_contracts.http.explain import Explained, ExplainedItem, ExplainRequest
from dw_contracts.http.problem import FieldError
from dw_contracts.ids import ChannelId, OrgId, RoleAgentId, event_id_of
from dw_learning.authority import may_see
from dw_learning.decision import AgentState
from dw_learning.decision.case import Case
from dw_learning.decision.facts import Caps
from dw_learning.explain import VERSIONS, Told, items_of, tell
from dw_panel.accounts import account_named
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, unfit
from dw_runtime import Handle, ProblemError
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent, find_channel
from dw_store.policy_reads import load_for_decisions

MESSAGE_REF = "explain"


@dataclass(frozen=True, slots=True)
class Explain:
    """For whoever may see the role-agent's inbox: admins, owners, its managers."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def run(self, signed: Signed, request: ExplainRequest) -> Explained:
        """Load as policy loads, decide as policy decides, write nothing. The caps are the default ones of policy's
        settings, and the message is taken as one that a gateway which proves its senders has sent."""
        async with self.database().transaction([signed.org_id]) as tx:
            agent = await find_agent(tx, signed.org_id, request.agent)
            if agent is None or not may_see(signed.person, agent["id"]):
                raise ProblemError(NO_SUCH_AGENT)
            channel = await find_channel(tx, signed.org_id, agent["id"], request.channel)
            if channel is None:
                wrong = FieldError(
                    at="channel", problem="no such channel; without one the agent must listen somewhere"
                )
                raise unfit("the channel is not there", (wrong,))
            event = await self._event(tx, signed.org_id, agent["id"], channel, request)
            case, state = await self._load(tx, event)
            return _explained(case, state, channel["code"], tell(case, state))

    async def _event(
        self, tx: Tx, org_id: UUID, agent_id: UUID, channel: Any, request: ExplainRequest
    ) -> ChatEvent:
        now = self.clock()
        answered = ReplyTo(message_ref="answered", author_kind="agent", text=request.answers)
        kind, channel_id = EventKind.MESSAGE_IN, channel["id"]
        return ChatEvent(
            schema_version=1,
            event_id=event_id_of(
                OrgId(org_id), RoleAgentId(agent_id), ChannelId(channel_id), kind.value, MESSAGE_REF, 0
            ),
            org_id=org_id,
            role_agent_id=agent_id,
            channel_id=channel_id,
            kind=kind,
            message_ref=MESSAGE_REF,
            sender=await self._sender(tx, org_id, channel, request.sender),
            flags=request.flags,
            text=request.text,
            reply_to=answered if request.answers else None,
            learning=Learning(channel["learning"]),
            occurred_at=now,
            received_at=now,
        )

    async def _sender(self, tx: Tx, org_id: UUID, channel: Any, named: str) -> Sender:
        found = await account_named(tx, org_id, channel, named)
        return Sender(
            platform=Platform(found[0]), workspace_ref=found[1][:256], external_user_id=found[2][:256]
        )

    async def _load(self, tx: Tx, event: ChatEvent) -> tuple[Case, AgentState]:
        detection = Detection(
            schema_version=1,
            decision_id=event.event_id,
            org_id=event.org_id,
            role_agent_id=event.role_agent_id,
            items=items_of(event),
            provider="offline",
            triage_version=VERSIONS["triage"],
        )
        loaded = await load_for_decisions(tx, [(detection, event)], Caps(), event.received_at)
        case = Case(event, True, loaded.sender_of(event), loaded.channel_of(event), detection.items)
        return case, loaded.states[event.role_agent_id]


def _explained(case: Case, state: AgentState, channel: str, told: Told) -> Explained:
    items = tuple(
        ExplainedItem(
            outcome=item.outcome.kind,
            rule=item.outcome.rule,
            text=item.text,
            risk=item.risk,
            words=item.words,
        )
        for item in told.items
    )
    return Explained(
        outcome="skipped" if told.skipped is not None else items[0].outcome,
        words=told.words,
        sender=told.sender,
        verified=case.sender_verified,
        mode=state.agent.mode,
        channel=channel,
        items=items,
        versions=VERSIONS,
    )
