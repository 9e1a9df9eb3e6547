"""Use cases of orgs: create one, bring one to what its file says, invite and be invited (C74)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from dw_contracts.http.org_file import AppliedOrg, CreatedOrg, CreateOrg, OrgFile
from dw_contracts.http.problem import FieldError
from dw_learning.authority import may_change_org, may_change_roles, may_invite
from dw_learning.scan import examine, is_credential
from dw_panel.answers import AcceptedInvitation, AcceptInvitation, InvitationView
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_ORG, conflict, forbidden, unfit
from dw_runtime import Handle, ProblemError, current_trace_id
from dw_store.database import Database
from dw_store.orgs import sql
from dw_store.orgs.apply_file import apply_org_file
from dw_store.orgs.conflicts import BadFile, LastOwner, OrgConflict, OwnersOnly
from dw_store.orgs.create import NoSuchOwner, create_org
from dw_store.orgs.members import accept_invitation, invitations_of
from dw_store.orgs.secrets import Actor


class Orgs:
    """Writes go through the store, in one transaction each."""

    def __init__(self, database: Handle[Database], pepper: str, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._pepper = pepper
        self._clock = clock

    async def create(self, request: CreateOrg) -> CreatedOrg:
        """With the installation token alone: a new org with its first owner, or a fresh token for an owner."""
        try:
            return await create_org(self._database(), request, self._pepper, self._clock())
        except NoSuchOwner:
            raise conflict("the org exists, and has no such active owner") from None
        except OrgConflict:
            raise conflict("somebody is creating the same org or user at this moment") from None

    async def apply(self, signed: Signed, file: OrgFile, *, dry_run: bool) -> AppliedOrg:
        """Admins change the org; who is owner or admin is changed by owners."""
        if not may_change_org(signed.person):
            raise forbidden("only admins and owners change the org")
        if file.org != signed.org:
            wrong = FieldError(at="org", problem="does not name the org of the address")
            raise unfit("the file is of another org", (wrong,))
        if faults := _secret_texts(file):
            raise unfit("a text of the file holds a secret", faults)
        actor = Actor(
            user_id=signed.person.user_id,
            may_change_roles=may_change_roles(signed.person),
            pepper=self._pepper,
            trace_id=current_trace_id(),
        )
        try:
            async with self._database().transaction([signed.org_id]) as tx:
                return await apply_org_file(tx, signed.org_id, file, actor, self._clock(), dry_run=dry_run)
        except BadFile as bad:
            raise unfit("the file asks for what cannot be", bad.errors) from None
        except OwnersOnly:
            raise forbidden("only owners change who is admin or owner") from None
        except LastOwner:
            raise conflict("the org would be left without an active owner") from None
        except OrgConflict as taken:
            raise conflict(f"something that must be unique is taken ({taken})") from None

    async def invitations(self, signed: Signed) -> list[InvitationView]:
        """Invitations of people whom another org made; admins hand them over."""
        if not may_invite(signed.person):
            raise forbidden("only admins and owners invite")
        async with self._database().transaction([signed.org_id]) as tx:
            found = await invitations_of(tx, signed.org_id, self._pepper)
        return [InvitationView(user=i.code, role=i.role, invitation=i.secret) for i in found]

    async def accept(self, signed: Signed, request: AcceptInvitation) -> AcceptedInvitation:
        """The invited person, signed in elsewhere, becomes a member. Anything else finds no such org."""
        async with self._database().system() as tx:
            org_id: UUID | None = await tx.fetchval(sql.ORG_ID, request.org)
        token = None
        if org_id is not None:
            async with self._database().transaction([org_id]) as tx:
                token = await accept_invitation(
                    tx, org_id, signed.person.user_id, request.invitation, self._pepper, self._clock()
                )
        if org_id is None or token is None:
            raise ProblemError(NO_SUCH_ORG)
        return AcceptedInvitation(org_id=org_id, token=token)


def _secret_texts(file: OrgFile) -> tuple[FieldError, ...]:
    """C25, C53: free texts of the file are stored, audited and told to agents: no secret, no attack beyond doubt."""
    texts = {"name": file.name}
    texts |= {f"identities.{number}": name for number, name in enumerate(file.identities)}
    texts |= {f"keys.{number}": name for number, name in enumerate(file.keys)}
    texts |= {f"users.{code}.name": user.name for code, user in file.users.items()}
    texts |= {f"agents.{code}.name": agent.name for code, agent in file.agents.items()}
    texts |= {f"agents.{code}.persona": agent.persona for code, agent in file.agents.items()}
    texts |= {
        f"channels.{code}.display_name": channel.display_name for code, channel in file.channels.items()
    }
    texts |= {f"words.{number}": "\n".join(words) for number, words in enumerate(file.words or ())}
    found = {at: examine(text) for at, text in texts.items()}
    faults = [
        FieldError(at=at, problem="holds a secret" if finding.secrets else "holds an attack on the agent")
        for at, finding in found.items()
        if finding.is_refused
    ]
    for code, channel in file.channels.items():
        if is_credential(channel.external_channel_ref) or is_credential(channel.workspace_ref):
            faults.append(FieldError(at=f"channels.{code}", problem="holds a secret where it is named"))
    return tuple(faults)
