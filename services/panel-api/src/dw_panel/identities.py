"""Use cases of accounts: admins map, verify, revoke and import them; a person proves one of their own (C36, C103)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.identities import (
    AnswerClaim,
    ChangeIdentity,
    ClaimView,
    IdentityPage,
    IdentityView,
    ImportedIdentities,
    MapIdentity,
    Me,
    StartClaim,
    StartedClaim,
)
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import may_change_org
from dw_learning.org_faults import has_hidden_signs
from dw_panel.actor import actor_of
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.adapters.identity_csv import read_identities
from dw_panel.people import Signed
from dw_panel.refusals import conflict, forbidden, unfit
from dw_runtime import Handle, ProblemError
from dw_runtime.echoes import code_or_hint
from dw_store.database import Database, Tx
from dw_store.orgs import claims, identities

NO_SUCH_IDENTITY: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such identity")
NO_SUCH_CLAIM: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such claim of yours")


class Identities:
    """Each change is one transaction with its audit events; what a lost account taught is marked in it."""

    def __init__(self, database: Handle[Database], pepper: str, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._pepper = pepper
        self._clock = clock

    async def page(self, signed: Signed, *, status: str, cursor: str, limit: int) -> IdentityPage:
        """The org's accounts, for admins."""
        _admins_only(signed)
        before = read_cursor(cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await identities.identity_page(
                tx, signed.org_id, status=status, user_id=None, before=before, limit=limit + 1
            )
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["created_at"], last["id"]) if last is not None else None
        return IdentityPage(identities=tuple(map(_view, rows[:limit])), next_cursor=following)

    async def map(self, signed: Signed, wanted: MapIdentity) -> IdentityView:
        """Say whose an account is, new or known."""
        _admins_only(signed)
        _checked([wanted])
        async with self._database().transaction([signed.org_id]) as tx:
            with _said_where(rows=False):
                written = await self._map(tx, signed, [wanted], "panel", dry_run=False)
            return _view(await identities.one_identity(tx, signed.org_id, written.ids[0]))

    async def import_csv(self, signed: Signed, body: bytes, *, dry_run: bool) -> ImportedIdentities:
        """All rows or none."""
        _admins_only(signed)
        wanted = read_identities(body)
        _checked(wanted)
        async with self._database().transaction([signed.org_id]) as tx:
            with _said_where(rows=True):
                written = await self._map(tx, signed, wanted, "csv import", dry_run=dry_run)
        return ImportedIdentities(
            dry_run=dry_run, created=written.created, changed=written.changed, same=written.same
        )

    async def verify(self, signed: Signed, identity_id: UUID, change: ChangeIdentity) -> IdentityView:
        """An admin vouches that this account is that member's."""
        _admins_only(signed)
        _no_secret(change.reason)
        async with self._database().transaction([signed.org_id]) as tx:
            with _said_where(rows=False):
                row = await identities.verify_identity(
                    tx,
                    signed.org_id,
                    identity_id,
                    change.user,
                    actor_of(signed, self._pepper),
                    self._clock(),
                    reason=change.reason,
                )
        return _found(row)

    async def revoke(self, signed: Signed, identity_id: UUID, change: ChangeIdentity) -> IdentityView:
        """From here on the account counts for nothing, and what it taught is marked and reviewed."""
        _admins_only(signed)
        _no_secret(change.reason)
        if change.user is not None:
            raise unfit("a revocation names no user", (FieldError(at="user", problem="leave it out"),))
        async with self._database().transaction([signed.org_id]) as tx:
            actor, now = actor_of(signed, self._pepper), self._clock()
            with _said_where(rows=False):
                row = await identities.revoke_identity(
                    tx, signed.org_id, identity_id, actor, now, reason=change.reason
                )
        return _found(row)

    async def me(self, signed: Signed) -> Me:
        """Who is signed in, with accounts and claims of their own."""
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await identities.identity_page(
                tx, signed.org_id, status="", user_id=signed.person.user_id, before=None, limit=200
            )
            own = await claims.claims_of(tx, signed.org_id, signed.person.user_id)
        return Me(
            user_id=signed.person.user_id,
            code=signed.code,
            role=signed.person.role,
            identities=tuple(map(_view, rows)),
            claims=tuple(map(_claim_view, own)),
        )

    async def start_claim(self, signed: Signed, wanted: StartClaim) -> StartedClaim:
        """A code to be posted from the account; the one before it is void."""
        async with self._database().transaction([signed.org_id]) as tx:
            try:
                made = await claims.start_claim(
                    tx, signed.org_id, wanted.platform, actor_of(signed, self._pepper), self._clock()
                )
            except claims.TooManyCodes:
                detail = "five codes an hour: try again later, or ask an admin to verify the account"
                raise ProblemError(
                    problem(ProblemCode.RATE_LIMITED, 429, detail), {"Retry-After": "3600"}
                ) from None
        return StartedClaim(
            claim_id=made.claim_id, code=made.code, platform=wanted.platform, expires_at=made.expires_at
        )

    async def answer_claim(self, signed: Signed, claim_id: UUID, answer: AnswerClaim) -> IdentityView:
        """Say whether the account that posted the code is one's own: only then does it speak for one."""
        async with self._database().transaction([signed.org_id]) as tx:
            try:
                identity_id = await claims.answer_claim(
                    tx,
                    signed.org_id,
                    claim_id,
                    actor_of(signed, self._pepper),
                    self._clock(),
                    mine=answer.mine,
                )
            except claims.NotClaimed:
                raise conflict(
                    "no account waits for your answer: the code was not seen, or is too old"
                ) from None
            except claims.NotYours:
                raise conflict("this account is somebody else's, or revoked: an admin decides") from None
            if identity_id is None:
                raise ProblemError(NO_SUCH_CLAIM)
            return _view(await identities.one_identity(tx, signed.org_id, identity_id))

    async def _map(
        self, tx: Tx, signed: Signed, wanted: Sequence[MapIdentity], by: str, *, dry_run: bool
    ) -> identities.Written:
        actor = actor_of(signed, self._pepper)
        return await identities.map_identities(
            tx, signed.org_id, wanted, actor, self._clock(), by=by, dry_run=dry_run
        )


@contextmanager
def _said_where(*, rows: bool) -> Iterator[None]:
    """Refusals of the store with their places; `rows` numbers them as the lines of a file."""
    try:
        yield
    except identities.NoSuchMember as missing:
        found = [(number, f"no active member {code_or_hint(code)}") for number, code in missing.rows.items()]
    except identities.NobodysAccount as bare:
        found = [(number, "verified, but whose is it?") for number in bare.rows]
    except identities.ErasedAccount as gone:
        found = [(number, "the account of an erased person: it stays nobody's") for number in gone.rows]
    else:
        return
    places = (FieldError(at=f"line {number + 2}" if rows else "user", problem=said) for number, said in found)
    raise unfit("an account cannot be what is asked for", tuple(places)[:20])


def _admins_only(signed: Signed) -> None:
    if not may_change_org(signed.person):
        raise forbidden("only admins and owners say whose an account is")


def _checked(wanted: Sequence[MapIdentity]) -> None:
    """Ids are compared sign by sign, stored and audited: none hides a sign, none holds a secret."""
    faults: list[FieldError] = []
    for number, one in enumerate(wanted):
        for name in ("workspace_ref", "external_user_id"):
            text = str(getattr(one, name))
            at = name if len(wanted) == 1 else f"line {number + 2}, {name}"
            if has_hidden_signs(text) or text != text.strip():
                faults.append(FieldError(at=at, problem="holds a sign that cannot be seen"))
            elif any(hit.rule != "secret.opaque_token" for hit in scan.scan_secrets(text)):
                faults.append(FieldError(at=at, problem="holds a credential"))
    if faults:
        raise unfit("an id of an account does not fit", tuple(faults[:20]))


def _no_secret(reason: str) -> None:
    if scan.scan_secrets(reason):
        raise unfit("the reason holds a secret", (FieldError(at="reason", problem="holds a secret"),))


def _found(row: Any | None) -> IdentityView:
    if row is None:
        raise ProblemError(NO_SUCH_IDENTITY)
    return _view(row)


def _view(row: Any) -> IdentityView:
    names = set(IdentityView.model_fields)
    return IdentityView.model_validate({name: value for name, value in dict(row).items() if name in names})


def _claim_view(row: Any) -> ClaimView:
    return ClaimView(
        claim_id=row["id"],
        platform=row["platform"],
        status=row["status"],
        external_user_id=row["external_user_id"],
        workspace_ref=row["workspace_ref"],
        display_name=scan.inert(row["display_name"]),
        channel=row["channel"],
        claimed_at=row["claimed_at"],
        expires_at=row["expires_at"],
    )
