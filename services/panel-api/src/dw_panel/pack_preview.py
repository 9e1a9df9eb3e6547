"""Use cases: the pack that a role-agent would get now (D40), and a skill tried before its approval (D50).

Chosen by the same rules over the same facts as for a runtime; nothing is recorded, and no model is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.http.context import ContextPack, PackSkill
from dw_contracts.http.preview import (
    LeftOut,
    PackPreview,
    PreviewPack,
    SkillTrial,
    TriedMessage,
    TrySkill,
)
from dw_contracts.http.problem import FieldError
from dw_learning import scan
from dw_learning.authority import SKILL_KINDS, is_for_admins, may_see, sees_text
from dw_learning.pack import Pack
from dw_learning.pack_preview import WHY, Tried, masked, try_skill
from dw_learning.skill_choice import Offer
from dw_learning.snapshot import Account, AgentSnapshot
from dw_panel.accounts import account_named
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, NO_SUCH_ITEM, conflict, denied, unfit
from dw_panel.skills import proposed_skill
from dw_panel.views import MASK, facts_of
from dw_runtime import Handle, ProblemError
from dw_store import inbox_reads
from dw_store.context_snapshot import load_snapshot
from dw_store.database import Database
from dw_store.decide_item import skill_names, skill_of
from dw_store.explain_reads import find_agent, find_channel
from dw_store.pack_reads import sensitive_among


@dataclass(frozen=True, slots=True)
class Previews:
    """For whoever may see the role-agent's inbox: admins, owners, its managers."""

    database: Handle[Database]
    clock: Callable[[], datetime]

    async def pack(self, signed: Signed, agent: str, wanted: PreviewPack) -> PackPreview:
        """422 where the agent does not listen in the channel, as a runtime gets 404 there."""
        async with self.database().transaction([signed.org_id]) as tx:
            found = await find_agent(tx, signed.org_id, agent)
            if found is None or not may_see(signed.person, found["id"]):
                raise ProblemError(NO_SUCH_AGENT)
            channel = await find_channel(tx, signed.org_id, found["id"], wanted.channel)
            if channel is None:
                raise _no_channel()
            account = (
                await account_named(tx, signed.org_id, channel, wanted.sender) if wanted.sender else None
            )
        snapshot = await self._snapshot(signed, found["id"])
        if str(channel["id"]) not in snapshot.facts.channels:
            raise _no_channel()
        pack = await asyncio.to_thread(_packed, snapshot, account, wanted.message, self.clock())
        return await self._shown(signed, channel["code"], snapshot, pack)

    async def skill(self, signed: Signed, item_id: UUID, wanted: TrySkill) -> SkillTrial:
        """A skill's proposal beside the skills that the agent has."""
        async with self.database().transaction([signed.org_id]) as tx:
            row = await inbox_reads.one_item(tx, signed.org_id, item_id)
            if row is None:
                raise ProblemError(NO_SUCH_ITEM)
            if not may_see(signed.person, row["role_agent_id"]):
                raise denied("not_yours")
            if not sees_text(signed.person, is_sensitive=is_for_admins(facts_of(row, frozenset()))):
                raise denied("admins_only")
            if row["kind"] not in SKILL_KINDS:
                raise unfit("only a skill's proposal can be tried")
            known = await skill_of(tx, signed.org_id, row)
            taken = await skill_names(tx, signed.org_id, row["role_agent_id"])
        snapshot = await self._snapshot(signed, row["role_agent_id"])
        fixed = known["name"] if known is not None else None
        draft = proposed_skill(row["proposed_payload"], snapshot.facts.code, row["risk"], taken, fixed)
        version = (known["active_version"] or 0) + 1 if known is not None else 1
        proposed = Offer(str(item_id), draft.name, draft.description, version, draft.body_md)
        offers = snapshot.facts.skills
        tried = await asyncio.to_thread(try_skill, offers, proposed, wanted.messages)
        return _trial(proposed, tried)

    async def _snapshot(self, signed: Signed, agent_id: UUID) -> AgentSnapshot:
        facts = await load_snapshot(self.database(), signed.org_id, str(agent_id))
        if facts is None:
            raise conflict("the role-agent is disabled: it gets no pack")
        return AgentSnapshot(facts)

    async def _shown(self, signed: Signed, channel: str, snapshot: AgentSnapshot, pack: Pack) -> PackPreview:
        ids = [entry["id"] for entry in pack["memories"]] + [left["id"] for left in pack["dropped"]]
        async with self.database().transaction([signed.org_id]) as tx:
            sensitive = await sensitive_among(tx, signed.org_id, ids)
        hidden = frozenset() if sees_text(signed.person, is_sensitive=True) else sensitive
        count = masked(pack, hidden, MASK)
        texts = {memory.id: memory.text for memory in snapshot.facts.memories}
        skills = {offer.id: offer.name for offer in snapshot.facts.skills}
        return PackPreview(
            channel=channel,
            pack=ContextPack.model_validate(pack),
            hidden=count,
            left_out=tuple(_left_out(left, texts, skills, hidden) for left in pack["dropped"]),
        )


def _packed(snapshot: AgentSnapshot, account: Account | None, message: str, at: datetime) -> Pack:
    """Off the loop: a large role-agent takes some tens of milliseconds."""
    return snapshot.pack(snapshot.shape(account, message), at)


def _left_out(left: Any, texts: dict[str, str], skills: dict[str, str], hidden: frozenset[str]) -> LeftOut:
    is_skill = left["id"] in skills
    text = skills[left["id"]] if is_skill else texts.get(left["id"], "")
    return LeftOut(
        id=UUID(left["id"]),
        kind="skill" if is_skill else "memory",
        text=MASK if left["id"] in hidden else scan.inert(text),
        reason=left["reason"],
        words=WHY[left["reason"]],
        instead=UUID(left["instead"]) if "instead" in left else None,
    )


def _trial(proposed: Offer, tried: list[Tried]) -> SkillTrial:
    results = tuple(
        TriedMessage(
            now=one.now, then=one.then, is_proposed=one.then == proposed.name, how=one.how.how, near=one.near
        )
        for one in tried
    )
    return SkillTrial(
        skill=PackSkill(name=proposed.name, version=proposed.version, body=scan.inert(proposed.body)),
        results=results,
        chosen=sum(result.is_proposed for result in results),
        taken=sum(
            result.now not in (None, proposed.name) and result.then != result.now for result in results
        ),
    )


def _no_channel() -> ProblemError:
    wrong = FieldError(at="channel", problem="no such channel where the role-agent listens")
    return unfit("the role-agent does not listen there", (wrong,))
