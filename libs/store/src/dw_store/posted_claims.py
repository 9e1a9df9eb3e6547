"""Proof of an account by its owner (C103), policy's half: a code was seen, so a mapping waits for the person's yes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dw_contracts.events.chat import ChatEvent
from dw_learning.decision.outcomes import IdentityClaim
from dw_learning.decision.plan import Decided
from dw_learning.identity_claims import CONFIRM_LIFETIME, Account, OpenClaim, Refusal, refuse_claim
from dw_store.audit import NewEvent
from dw_store.database import Tx
from dw_store.json_rows import json_rows
from dw_store.orgs import identity_sql as sql

Key = tuple[UUID, str, str, str]


@dataclass(frozen=True, slots=True)
class _Posted:
    """One code that was seen, with the message in which."""

    row: Any
    event: ChatEvent

    @property
    def account(self) -> Key:
        sender = self.event.sender
        return (self.event.org_id, sender.platform.value, sender.workspace_ref, sender.external_user_id)


async def apply_claims(tx: Tx, decided: Sequence[Decided], now: datetime) -> list[NewEvent]:
    """What the codes of a batch bring about, in at most five statements; gives the events, which the caller writes.
    A code that nobody waits for leaves no trace beside the decision's own row. Of one code seen twice the first counts:
    an event goes to each listening role-agent."""
    seen: dict[tuple[UUID, str], ChatEvent] = {}
    for decision in decided:
        for effect in decision.effects:
            if isinstance(effect.outcome, IdentityClaim) and decision.case is not None:
                seen.setdefault((decision.case.event.org_id, effect.outcome.mac), decision.case.event)
    if not seen:
        return []
    columns = [list(column) for column in zip(*seen, strict=True)]
    rows = await tx.fetch(sql.POSTED, *columns)
    posted = [_Posted(row, seen[(row["org_id"], row["code_mac"])]) for row in rows]
    if not posted:
        return []
    accounts = await _accounts(tx, posted)
    judged = [(one, _refused(one, accounts.get(one.account, Account()))) for one in posted]
    await _refuse(tx, [one for one, why in judged if why is not None], now)
    made = await _claim(tx, [one for one, why in judged if why is None], now)
    return [_event(one, why, made.get(one.account)) for one, why in judged]


def _refused(one: _Posted, account: Account) -> Refusal | None:
    claim = OpenClaim(one.row["id"], one.row["org_id"], one.row["user_id"], one.row["expires_at"])
    if one.row["platform"] != one.event.sender.platform.value:
        return "unknown"  # the HMAC holds the platform: it cannot come to this
    return refuse_claim(claim, account, one.event.received_at)


async def _accounts(tx: Tx, posted: Sequence[_Posted]) -> dict[Key, Account]:
    columns = [list(column) for column in zip(*{one.account for one in posted}, strict=True)]
    return {
        (row["org_id"], row["platform"], row["workspace_ref"], row["external_user_id"]): Account(
            row["status"], row["user_id"]
        )
        for row in await tx.fetch(sql.ACCOUNTS, *columns)
    }


async def _refuse(tx: Tx, refused: Sequence[_Posted], now: datetime) -> None:
    """One use, also where it came to nothing."""
    if refused:
        rows = [{"org_id": one.row["org_id"], "id": one.row["id"]} for one in refused]
        await tx.execute(sql.REFUSE, json_rows(rows), now)


async def _claim(tx: Tx, claimed: Sequence[_Posted], now: datetime) -> dict[Key, UUID]:
    if not claimed:
        return {}
    wanted = {one.account: one for one in reversed(claimed)}
    new = [
        {
            "id": uuid.uuid4(),
            "org_id": org_id,
            "platform": platform,
            "workspace_ref": workspace,
            "external_user_id": external,
            "user_id": one.row["user_id"],
        }
        for (org_id, platform, workspace, external), one in wanted.items()
    ]
    rows = await tx.fetch(sql.PENDING_ACCOUNTS, json_rows(new))
    ids = {(r["org_id"], r["platform"], r["workspace_ref"], r["external_user_id"]): r["id"] for r in rows}
    claims = [
        {
            "org_id": one.row["org_id"],
            "id": one.row["id"],
            "identity_id": ids[one.account],
            "channel_id": one.event.channel_id,
            "event_id": one.event.event_id,
            "display_name": one.event.sender.display_name or "",
        }
        for one in claimed
    ]
    await tx.execute(sql.CLAIM, json_rows(claims), now, now + CONFIRM_LIFETIME)
    return ids


def _event(one: _Posted, why: Refusal | None, identity_id: UUID | None) -> NewEvent:
    return NewEvent(
        org_id=one.event.org_id,
        event_type="identity_claimed" if why is None else "identity_claim_refused",
        actor_type="worker",
        actor_id=f"dw_worker:{one.event.role_agent_id}",
        on_behalf_of=one.row["user_id"],
        subject_type="identity",
        subject_id=identity_id,
        reason=why or "the code was posted from this account",
        before={"claim": "open"},
        after={
            "claim": "claimed" if why is None else "void",
            "platform": one.event.sender.platform.value,
            "account": one.event.sender.external_user_id,
            "channel_id": str(one.event.channel_id),
        },
        source_event_id=one.event.event_id,
    )
