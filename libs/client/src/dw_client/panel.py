"""For people and `dw`: orgs, the Learning Inbox, the audit log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from dw_client.transport import Transport
from dw_contracts.http.access import KeyPage, MadeSecret, NewKeyRequest, NewTokenRequest, RevokedKey
from dw_contracts.http.explain import Explained, ExplainRequest
from dw_contracts.http.gate import GateLimit, GateStatus, LedgerPage, SetGateLimit
from dw_contracts.http.identities import ChangeIdentity, IdentityPage, IdentityView, MapIdentity
from dw_contracts.http.memory_files import ImportedMemories, ImportMemories, MemoryExport
from dw_contracts.http.org_file import AppliedOrg, CreatedOrg, CreateOrg, OrgFile
from dw_contracts.http.panel import AuditPage, Decided, DecideItem, ItemPage, LearningItemView
from dw_contracts.http.person_export import ExportPerson


class PanelClient(Transport):
    """`base_url` of panel-api and a user's token (or the installation token, for `create_org` alone)."""

    async def create_org(self, request: CreateOrg) -> CreatedOrg:
        """Create the org, or get a fresh token for its owner."""
        return CreatedOrg.model_validate(
            await self.call("POST", "/v1/orgs", json=request.model_dump(mode="json", exclude_defaults=True))
        )

    async def apply(self, file: OrgFile, *, dry_run: bool = False) -> AppliedOrg:
        """Bring the org to what the file says."""
        body = file.model_dump(mode="json", exclude_unset=True)  # what is left out is left alone
        path = f"/v1/orgs/{file.org}/file"
        return AppliedOrg.model_validate(
            await self.call("PUT", path, json=body, params={"dry_run": str(dry_run).lower()})
        )

    async def items(self, org: str, **filters: Any) -> ItemPage:
        """One page of learning items; filters as in the API."""
        return ItemPage.model_validate(await self.call("GET", f"/v1/orgs/{org}/items", params=filters))

    async def item(self, org: str, item_id: UUID) -> LearningItemView:
        """One learning item."""
        return LearningItemView.model_validate(await self.call("GET", f"/v1/orgs/{org}/items/{item_id}"))

    async def decide(self, org: str, item_id: UUID, decision: DecideItem) -> Decided:
        """Approve or reject."""
        body = decision.model_dump(mode="json", exclude_defaults=True)
        return Decided.model_validate(
            await self.call("POST", f"/v1/orgs/{org}/items/{item_id}/decision", json=body)
        )

    async def audit(self, org: str, **filters: Any) -> AuditPage:
        """One page of learning events, newest first."""
        return AuditPage.model_validate(await self.call("GET", f"/v1/orgs/{org}/audit", params=filters))

    def export_audit(self, org: str, **filters: str) -> AsyncIterator[bytes]:
        """The log as JSON lines or CSV (`format`), in pieces as they come."""
        return self.stream(f"/v1/orgs/{org}/audit/export", params=filters)

    def export_person(self, org: str, person: ExportPerson) -> AsyncIterator[bytes]:
        """What is held about a person, as JSON lines, in pieces as they come."""
        body = person.model_dump(mode="json", exclude_defaults=True)
        return self.stream(f"/v1/orgs/{org}/person-exports", method="POST", json=body)

    async def explain(self, org: str, question: ExplainRequest) -> Explained:
        """What would become of a message and why. Stores nothing."""
        body = question.model_dump(mode="json", exclude_defaults=True)
        return Explained.model_validate(await self.call("POST", f"/v1/orgs/{org}/policy/explain", json=body))

    async def map_identity(self, org: str, identity: MapIdentity) -> IdentityView:
        """Say whose an account is; what is left out of a known one is left alone."""
        body = identity.model_dump(mode="json", exclude_unset=True)
        return IdentityView.model_validate(await self.call("POST", f"/v1/orgs/{org}/identities", json=body))

    async def verify_identity(self, org: str, identity_id: UUID, change: ChangeIdentity) -> IdentityView:
        """Vouch for an account."""
        return await self._change_identity(org, identity_id, "verify", change)

    async def revoke_identity(self, org: str, identity_id: UUID, change: ChangeIdentity) -> IdentityView:
        """The account counts for nothing from here on."""
        return await self._change_identity(org, identity_id, "revoke", change)

    async def identities(self, org: str, **filters: Any) -> IdentityPage:
        """One page of accounts, the newest first; filters as in the API."""
        return IdentityPage.model_validate(
            await self.call("GET", f"/v1/orgs/{org}/identities", params=filters)
        )

    async def _change_identity(
        self, org: str, identity_id: UUID, act: str, change: ChangeIdentity
    ) -> IdentityView:
        body = change.model_dump(mode="json", exclude_unset=True)
        path = f"/v1/orgs/{org}/identities/{identity_id}/{act}"
        return IdentityView.model_validate(await self.call("POST", path, json=body))

    async def keys(
        self, org: str, *, revoked: bool = False, cursor: str | None = None, limit: int = 50
    ) -> KeyPage:
        """One page of keys, tokens and sessions, the newest first, without secrets: for admins all of the org."""
        asked = {"revoked": str(revoked).lower(), "cursor": cursor, "limit": str(limit)}
        params = {name: value for name, value in asked.items() if value is not None}
        return KeyPage.model_validate(await self.call("GET", f"/v1/orgs/{org}/keys", params=params))

    async def make_key(self, org: str, key: NewKeyRequest) -> MadeSecret:
        """A key for a machine. Tried once: a repeat would meet the name of the first, whose secret nobody saw."""
        body = key.model_dump(mode="json", exclude_defaults=True)
        return MadeSecret.model_validate(
            await self.call("POST", f"/v1/orgs/{org}/keys", json=body, again=False)
        )

    async def make_token(self, org: str, token: NewTokenRequest) -> MadeSecret:
        """Another token of one's own. Tried once: each try makes one."""
        body = token.model_dump(mode="json", exclude_defaults=True)
        path = f"/v1/orgs/{org}/me/tokens"
        return MadeSecret.model_validate(await self.call("POST", path, json=body, again=False))

    async def revoke_key(self, org: str, key_id: UUID) -> RevokedKey:
        """A key, token or session opens nothing from here on."""
        return RevokedKey.model_validate(await self.call("POST", f"/v1/orgs/{org}/keys/{key_id}/revoke"))

    async def gate_status(self, org: str) -> GateStatus:
        """What may be spent on models, what is spent, and what waits."""
        return GateStatus.model_validate(await self.call("GET", f"/v1/orgs/{org}/gate"))

    async def set_gate_limit(self, org: str, limit: SetGateLimit) -> GateLimit:
        """Set what is named of one scope's limits."""
        body = limit.model_dump(mode="json", exclude_unset=True)
        return GateLimit.model_validate(await self.call("PUT", f"/v1/orgs/{org}/gate/limits", json=body))

    async def gate_ledger(self, org: str, **filters: Any) -> LedgerPage:
        """One page of calls to models, the latest first; filters as in the API."""
        return LedgerPage.model_validate(
            await self.call("GET", f"/v1/orgs/{org}/gate/ledger", params=filters)
        )

    def export_ledger(self, org: str, **filters: str) -> AsyncIterator[bytes]:
        """A copy of the ledger in pieces."""
        return self.stream(f"/v1/orgs/{org}/gate/ledger/export", params=filters)

    async def export_memory(self, org: str, agent: str, *, after: UUID | None = None) -> MemoryExport:
        """One page of what a role-agent knows, for files; `next` of a page is `after` of the following one."""
        params = {"after": str(after)} if after is not None else None
        path = f"/v1/orgs/{org}/agents/{agent}/memory-export"
        return MemoryExport.model_validate(await self.call("GET", path, params=params))

    async def import_memory(self, org: str, agent: str, files: ImportMemories) -> ImportedMemories:
        """Files as one batch that waits for a person's yes."""
        body = files.model_dump(mode="json", exclude_defaults=True)
        path = f"/v1/orgs/{org}/agents/{agent}/memory-import"
        return ImportedMemories.model_validate(await self.call("POST", path, json=body))
