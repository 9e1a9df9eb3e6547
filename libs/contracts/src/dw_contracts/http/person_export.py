"""A copy of what is held about a person (D59)."""

from __future__ import annotations

from uuid import UUID

from pydantic import ConfigDict, Field

from dw_contracts.http.erasure import Account, Name
from dw_contracts.model import Contract


class ExportPerson(Contract):
    """Body of POST /v1/orgs/{org}/person-exports. A member, accounts of somebody who is none, or both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: UUID | None = Field(default=None, description="a member of the org, also one who was removed")
    code: str = Field(default="", max_length=64, description="the same by its code in the org")
    accounts: tuple[Account, ...] = Field(
        default=(), max_length=50, description="further accounts; those mapped to the member are known"
    )
    also_known_as: tuple[Name, ...] = Field(
        default=(), max_length=20, description="further names by which memories may call the person"
    )
