"""Use cases of access: who is a member, which keys and tokens open what, and their end (C46, C73, C74)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from dw_contracts.http.access import (
    ChangedMember,
    KeyPage,
    KeyView,
    MadeSecret,
    MemberView,
    NewKeyRequest,
    NewTokenRequest,
    RevokedKey,
    SetMember,
)
from dw_contracts.http.org_file import OrgFile
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_learning import scan
from dw_learning.authority import may_change_org, may_change_roles
from dw_learning.org_faults import has_hidden_signs
from dw_panel.actor import actor_of
from dw_panel.adapters.cursors import read_cursor, write_cursor
from dw_panel.orgs import Orgs
from dw_panel.people import Signed
from dw_panel.refusals import conflict, forbidden, unfit
from dw_runtime import Handle, ProblemError
from dw_runtime.echoes import code_or_hint
from dw_store.database import Database
from dw_store.orgs import access
from dw_store.orgs.conflicts import OrgConflict

NO_SUCH_MEMBER: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such member")
NO_SUCH_KEY: Final = problem(ProblemCode.NOT_FOUND, 404, "there is no such key")


class Access:
    """A member is changed as an org file of one entry, so there is one way in which members come and go."""

    def __init__(
        self, database: Handle[Database], orgs: Orgs, pepper: str, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._orgs = orgs
        self._pepper = pepper
        self._clock = clock

    async def members(self, signed: Signed, *, after: str, limit: int) -> list[MemberView]:
        """Members by code, for admins."""
        _admins_only(signed)
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await access.members(tx, signed.org_id, after=after, limit=limit)
        return [MemberView.model_validate(dict(row)) for row in rows]

    async def set_member(self, signed: Signed, code: str, wanted: SetMember) -> ChangedMember:
        """Add, change or bring back a member."""
        return await self._apply(signed, code, wanted.model_dump(mode="json", exclude_unset=True))

    async def remove_member(self, signed: Signed, code: str) -> ChangedMember:
        """C73: with the membership go tokens, sessions, what they manage, assignments and accounts."""
        _admins_only(signed)
        await self._member(signed, code)
        return await self._apply(signed, code, {"active": False})

    async def keys(self, signed: Signed, *, revoked: bool, cursor: str, limit: int) -> KeyPage:
        """Keys, tokens and sessions of the org for admins; their own for everybody else. Never a secret."""
        own = None if may_change_org(signed.person) else signed.person.user_id
        before = read_cursor(cursor)
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await access.keys(
                tx, signed.org_id, user_id=own, revoked=revoked, before=before, limit=limit + 1
            )
        last = rows[limit - 1] if len(rows) > limit else None
        following = write_cursor(last["created_at"], last["id"]) if last is not None else None
        shown = tuple(KeyView.model_validate(dict(row)) for row in rows[:limit])
        return KeyPage(keys=shown, next_cursor=following)

    async def make_key(self, signed: Signed, wanted: NewKeyRequest) -> MadeSecret:
        """A key for a machine, bound to channels or role-agents of this org."""
        _admins_only(signed)
        _name(wanted.name)
        self._ahead(wanted.expires_at)
        _bound(wanted)
        key = access.WantedKey(
            wanted.name, wanted.kind, wanted.channels, wanted.agents, wanted.proves_sender, wanted.expires_at
        )
        actor = actor_of(signed, self._pepper)
        try:
            async with self._database().transaction([signed.org_id]) as tx:
                key_id, secret = await access.make_key(tx, signed.org_id, key, actor, self._clock())
        except access.NoSuchPart as missing:
            codes = ", ".join(map(code_or_hint, missing.codes[:5]))
            places = (FieldError(at=missing.part, problem=f"no such code: {codes}"),)
            raise unfit("the key names what the org does not have", places) from None
        except OrgConflict:
            raise conflict("a live key has this name: revoke it first, or choose another") from None
        return MadeSecret(id=key_id, secret=secret)

    async def make_token(self, signed: Signed, wanted: NewTokenRequest) -> MadeSecret:
        """Another token of one's own. Nobody makes one for somebody else."""
        _name(wanted.name)
        self._ahead(wanted.expires_at)
        actor = actor_of(signed, self._pepper)
        async with self._database().transaction([signed.org_id]) as tx:
            try:
                key_id, secret = await access.make_token(
                    tx, signed.org_id, wanted.name, wanted.expires_at, actor, self._clock()
                )
            except access.TooManyTokens:
                raise conflict(f"at most {access.MAX_TOKENS} live tokens a person: revoke one") from None
        return MadeSecret(id=key_id, secret=secret)

    async def revoke(self, signed: Signed, key_id: UUID) -> RevokedKey:
        """One's own tokens and sessions; admins any key and a member's; owners those of admins and owners."""
        person = signed.person
        async with self._database().transaction([signed.org_id]) as tx:
            key = await access.find_for_revocation(tx, signed.org_id, key_id)
            if key is None or (not may_change_org(person) and key["user_id"] != person.user_id):
                raise ProblemError(NO_SUCH_KEY)
            if not _may_revoke(signed, key):
                raise forbidden("owners revoke what admins and owners sign in with")
            actor = actor_of(signed, self._pepper)
            at = await access.revoke_key(tx, signed.org_id, key, actor, self._clock())
        return RevokedKey(id=key_id, revoked_at=at)

    async def _apply(self, signed: Signed, code: str, fields: dict[str, Any]) -> ChangedMember:
        file = OrgFile.model_validate({"org": signed.org, "users": {code: fields}})
        applied = await self._orgs.apply(signed, file, dry_run=False)
        return ChangedMember(member=await self._member(signed, code), token=applied.new_tokens.get(code))

    async def _member(self, signed: Signed, code: str) -> MemberView:
        async with self._database().transaction([signed.org_id]) as tx:
            rows = await access.members(tx, signed.org_id, code=code)
        if not rows:
            raise ProblemError(NO_SUCH_MEMBER)
        return MemberView.model_validate(dict(rows[0]))

    def _ahead(self, expires_at: datetime | None) -> None:
        if expires_at is not None and expires_at <= self._clock():
            raise unfit("it would open nothing", (FieldError(at="expires_at", problem="has passed"),))


def _admins_only(signed: Signed) -> None:
    if not may_change_org(signed.person):
        raise forbidden("only admins and owners see and change members and keys")


def _may_revoke(signed: Signed, key: Any) -> bool:
    person = signed.person
    if key["user_id"] in (None, person.user_id):
        return True
    return may_change_roles(person) or key["role"] == "member"


def _bound(wanted: NewKeyRequest) -> None:
    """C46, C74: a gateway's key speaks for channels, a runtime's serves role-agents."""
    if wanted.kind == "gateway" and (not wanted.channels or wanted.agents):
        raise unfit(
            "a gateway's key names its channels", (FieldError(at="channels", problem="at least one"),)
        )
    if wanted.kind == "runtime" and wanted.channels:
        raise unfit("a runtime's key names no channel", (FieldError(at="channels", problem="leave it out"),))


def _name(name: str) -> None:
    if has_hidden_signs(name) or name != name.strip():
        raise unfit("the name cannot be read", (FieldError(at="name", problem="holds a hidden sign"),))
    if scan.scan_secrets(name):
        raise unfit("the name holds a secret", (FieldError(at="name", problem="holds a secret"),))
