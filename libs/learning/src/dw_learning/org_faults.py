"""What an org file asks for and cannot have: said with its place, before anything is written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dw_contracts.http.org_file import CODE, OrgFile
from dw_contracts.http.problem import FieldError
from dw_learning.org_plan import Rows

MAX_NAME = 200
_CODE = re.compile(CODE)


def faults(file: OrgFile, users: Rows, channels: Rows, keys: Rows, limit: int = 20) -> tuple[FieldError, ...]:
    """At most `limit` of them. `users`, `channels`, `keys` are the org's rows by code or name."""
    found = [
        *_codes(file),
        *_mail_addresses(file, users),
        *_accounts(file),
        *_channel_refs(file, channels),
        *_key_kinds(file, keys),
    ]
    return tuple(found[:limit])


def _codes(file: OrgFile) -> Iterator[FieldError]:
    coded: Mapping[str, Iterable[str]] = {
        "users": file.users,
        "agents": file.agents,
        "channels": file.channels,
    }
    for part, codes in coded.items():
        yield from (
            FieldError(
                at=f"{part}.{code[:64]}", problem="a code is a-z, 0-9, _ and -, at most 63, a letter first"
            )
            for code in codes
            if not _CODE.fullmatch(code)
        )
    named: Mapping[str, Iterable[str]] = {"identities": file.identities, "keys": file.keys}
    for part, names in named.items():
        yield from (
            FieldError(at=f"{part}.{name[:64]}", problem=f"a name has 1 to {MAX_NAME} characters")
            for name in names
            if not 0 < len(name) <= MAX_NAME
        )


def _mail_addresses(file: OrgFile, users: Rows) -> Iterator[FieldError]:
    """An address says who somebody is across orgs: it may be added once, and then stays."""
    holders = {row["email"]: code for code, row in users.items() if row["email"]}
    for code, user in file.users.items():
        if not user.email:
            continue
        address = user.email.lower()
        known = users.get(code)
        if known is not None and known["email"] and known["email"] != address:
            yield FieldError(at=f"users.{code}.email", problem="an address cannot be changed in the file")
        elif (holder := holders.setdefault(address, code)) != code:
            yield FieldError(at=f"users.{code}.email", problem=f"the address of {holder}")


def _accounts(file: OrgFile) -> Iterator[FieldError]:
    seen: dict[tuple[str, str, str], str] = {}
    for name, identity in file.identities.items():
        account = (identity.platform.value, identity.workspace_ref, identity.external_user_id)
        if (first := seen.setdefault(account, name)) != name:
            yield FieldError(at=f"identities.{name}", problem=f"the same account as {first}")


def _channel_refs(file: OrgFile, channels: Rows) -> Iterator[FieldError]:
    holders = {
        (row["platform"], row["external_channel_ref"]): code
        for code, row in channels.items()
        if code not in file.channels
    }
    for code, channel in file.channels.items():
        ref = (channel.platform.value, channel.external_channel_ref or code)
        if (first := holders.setdefault(ref, code)) != code:
            yield FieldError(
                at=f"channels.{code}.external_channel_ref", problem=f"the same channel as {first}"
            )


def _key_kinds(file: OrgFile, keys: Rows) -> Iterator[FieldError]:
    for name, key in file.keys.items():
        if name in keys and keys[name]["kind"] != key.kind:
            yield FieldError(
                at=f"keys.{name}.kind", problem="a key keeps its kind: give the new one another name"
            )
