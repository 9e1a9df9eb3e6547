"""Whom somebody means who names a sender in a question about a message."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from dw_contracts.events.chat import Platform
from dw_store.database import Tx
from dw_store.explain_reads import find_account


async def account_named(tx: Tx, org_id: UUID, channel: Any, named: str) -> tuple[str, str, str]:
    """An account in full (platform:workspace:account), one of the org's map, or a stranger on the channel's platform."""
    platform, first, rest = named.partition(":")
    workspace, second, account = rest.partition(":")
    if first and second and account and platform in set(Platform):
        return platform, workspace, account
    stranger = (channel["platform"], channel["workspace_ref"], named)
    return await find_account(tx, org_id, named, channel["platform"]) or stranger
