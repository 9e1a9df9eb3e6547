"""Use case: admins look after claims of accounts: what waits and what is proved, confirm, revoke (C103)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.claims import ClaimPage, MemberClaim
from dw_contracts.http.problem import ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import may_change_org
from dw_panel.actor import actor_of
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.people import Signed
from dw_panel.refusals import conflict, forbidden
from dw_runtime import Handle, ProblemError
from dw_store.database import Database, Tx
from dw_store.orgs.claim_admin import ClaimStatus, claim_page, confirm_claim, revoke_claim
from dw_store.orgs.claims import NotClaimed, NotYours
from dw_store.orgs.secrets import Actor

NO_SUCH_CLAIM: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such claim")
Act = Callable[[Tx, UUID, UUID, Actor, datetime], Awaitable[Any | None]]


class Claims:
    """Each act is one transaction with its audit event."""

    def __init__(self, database: Handle[Database], pepper: str, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._pepper = pepper
        self._clock = clock

    async def page(self, signed: Signed, *, status: ClaimStatus, cursor: str, limit: int) -> ClaimPage:
        """Claims of all members; what waits, unless something else is asked for."""
        _admins_only(signed)
        before, now = read_cursor(cursor), self._clock()
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await claim_page(tx, signed.org_id, status, before, limit + 1, now)
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["created_at"], last["id"]) if last is not None else None
        return ClaimPage(claims=tuple(_view(row, now) for row in rows[:limit]), next_cursor=following)

    async def confirm(self, signed: Signed, claim_id: UUID) -> MemberClaim:
        """The account is the member's from here on, on this admin's word."""
        return await self._act(signed, claim_id, confirm_claim)

    async def revoke(self, signed: Signed, claim_id: UUID) -> MemberClaim:
        """The claim ends; an account that waited on it is nobody's."""
        return await self._act(signed, claim_id, revoke_claim)

    async def _act(self, signed: Signed, claim_id: UUID, act: Act) -> MemberClaim:
        _admins_only(signed)
        now = self._clock()
        try:
            async with self._database().transaction([signed.org_id]) as tx:
                row = await act(tx, signed.org_id, claim_id, actor_of(signed, self._pepper), now)
        except NotClaimed:
            raise conflict(
                "the claim does not wait for that: its code was not seen, or it has ended"
            ) from None
        except NotYours:
            raise conflict(
                "the account is verified for somebody else, or revoked: change it at the account itself"
            ) from None
        if row is None:
            raise ProblemError(NO_SUCH_CLAIM)
        return _view(row, now)


def _admins_only(signed: Signed) -> None:
    if not may_change_org(signed.person):
        raise forbidden("only admins and owners see whose account is claimed by whom")


def _view(row: Mapping[str, Any], now: datetime) -> MemberClaim:
    names = set(MemberClaim.model_fields) - {"claim_id", "proof", "display_name"}
    same = {name: value for name, value in dict(row).items() if name in names}
    shown = scan.inert(row["display_name"])
    return MemberClaim.model_validate(
        same | {"claim_id": row["id"], "proof": _proof(row, now), "display_name": shown}
    )


def _proof(row: Mapping[str, Any], now: datetime) -> str:
    status = row["status"]
    if status in ("confirmed", "void"):
        return "confirmed" if status == "confirmed" else "ended"
    if row["expires_at"] < now:
        return "expired"
    return "code_seen" if status == "claimed" else "none"
