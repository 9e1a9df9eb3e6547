"""Use case: how a role-agent learns: mode, pause, channels, suggestions (R82, R83, R97, R137, C32, C67)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import UUID

from dw_contracts.http.learning import Acted, ChangeMode, ChannelLearning, Suggest
from dw_contracts.http.problem import Problem
from dw_learning.authority_acts import may_administer, may_suggest
from dw_learning.item_edit import assess
from dw_panel.item_checks import check_text
from dw_panel.people import Signed
from dw_panel.proposals import suggestion
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_CHANNEL, denied
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store import agent_acts as store
from dw_store.database import Database, Tx
from dw_store.item_acts import propose_item
from dw_store.memory_rows import Actor, lock_owner

Do = Callable[[Tx, Actor], Awaitable[int | None]]


class AgentActs:
    """Admins' acts, but for suggestions. A refused attempt is on record."""

    def __init__(self, database: Handle[Database], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def mode(self, signed: Signed, agent: UUID, body: ChangeMode) -> Acted:
        """What it saves by itself (R87)."""

        async def do(tx: Tx, actor: Actor) -> int | None:
            auto, verified = body.auto_memory_enabled, body.auto_memory_require_verified
            return await store.set_mode(tx, signed.org_id, agent, auto=auto, verified=verified, actor=actor)

        return await self._run(signed, agent, "mode", do, NO_SUCH_AGENT)

    async def learning(self, signed: Signed, agent: UUID, *, enabled: bool) -> Acted:
        """Pause and resume (C67)."""

        async def do(tx: Tx, actor: Actor) -> int | None:
            return await store.set_learning(tx, signed.org_id, agent, enabled=enabled, actor=actor)

        return await self._run(signed, agent, "learning", do, NO_SUCH_AGENT)

    async def channel_learning(self, signed: Signed, channel: UUID, body: ChannelLearning) -> Acted:
        """What is learned in one channel (C67)."""

        async def do(tx: Tx, actor: Actor) -> int | None:
            return await store.set_channel_learning(tx, signed.org_id, channel, body.learning, actor)

        return await self._run(signed, None, "channel_learning", do, NO_SUCH_CHANNEL)

    async def assign(self, signed: Signed, agent: UUID, channel: UUID) -> Acted:
        """The agent listens in the channel (C90)."""

        async def do(tx: Tx, actor: Actor) -> int | None:
            return await store.assign_channel(tx, signed.org_id, agent, channel, actor)

        return await self._run(signed, agent, "assign_channel", do, NO_SUCH_CHANNEL)

    async def unassign(self, signed: Signed, agent: UUID, channel: UUID) -> Acted:
        """The agent listens there no more."""

        async def do(tx: Tx, actor: Actor) -> int | None:
            return await store.unassign_channel(tx, signed.org_id, agent, channel, actor)

        return await self._run(signed, agent, "unassign_channel", do, NO_SUCH_CHANNEL)

    async def suggest(self, signed: Signed, agent: UUID, body: Suggest) -> Acted:
        """R137: it becomes an item, whoever suggests it."""
        check_text(body.text, is_memory=True)
        actor = self._actor(signed)
        async with self._database().transaction([signed.org_id]) as tx:
            manages = await store.manages_channel(
                tx, signed.org_id, body.channel, signed.person.user_id, agent
            )
            allowed = may_suggest(signed.person, agent, manages_channel=manages)
            if await lock_owner(tx, signed.org_id, agent) is None:
                raise ProblemError(NO_SUCH_AGENT)
            if allowed:
                item = suggestion(agent, body.text.strip(), assess(body.text))
                item_id, version = await propose_item(tx, signed.org_id, item, actor)
                return Acted(outcome="proposed", item_id=item_id, version=version)
            await store.record_agent_denied(tx, signed.org_id, agent, "not_yours", "suggest", actor)
        raise denied("not_yours")

    async def _run(self, signed: Signed, agent: UUID | None, act: str, do: Do, missing: Problem) -> Acted:
        actor = self._actor(signed)
        async with self._database().transaction([signed.org_id]) as tx:
            if agent is not None and await lock_owner(tx, signed.org_id, agent) is None:
                raise ProblemError(NO_SUCH_AGENT)
            if may_administer(signed.person) == "allowed":
                version = await do(tx, actor)
                if version is None:
                    raise ProblemError(missing)
                return Acted(version=version)
            await store.record_agent_denied(tx, signed.org_id, agent, "admins_only", act, actor)
        raise denied("admins_only")

    def _actor(self, signed: Signed) -> Actor:
        return Actor(signed.person.user_id, self._clock(), current_trace_id())
