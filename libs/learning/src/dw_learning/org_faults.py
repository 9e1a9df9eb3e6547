"""What an org file asks for and cannot have: said with its place, before anything is written. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from dw_contracts.http.org_file import CODE, OrgFile
from dw_contracts.http.problem import FieldError
from dw_learning.identity_claims import is_erased
from dw_learning.org_plan import Rows

MAX_NAME = 200
_CONTROL = ("Cc", "Cs", "Zl", "Zp")
_CODE = re.compile(CODE)


def faults(file: OrgFile, users: Rows, channels: Rows, keys: Rows, limit: int = 20) -> tuple[FieldError, ...]:
    """At most `limit` of them. `users`, `channels`, `keys` are the org's rows by code or name."""
    found = [
        *_codes(file),
        *_unreadable(file),
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
            FieldError(
                at=f"{part}.{_shown(name)}",
                problem=f"a name has 1 to {MAX_NAME} signs that can be read, and no space around them",
            )
            for name in names
            if not 0 < len(name) <= MAX_NAME or name != name.strip() or has_hidden_signs(name)
        )


def has_hidden_signs(text: str) -> bool:
    """Does it hold signs that nobody sees: control, format and unassigned ones, line and paragraph separators?"""
    return any(unicodedata.category(sign) in (*_CONTROL, "Cf", "Cn", "Co") for sign in text)


def _has_controls(text: str, allowed: str = "") -> bool:
    """Control signs and line separators. Signs of format are left to display names: pages make them harmless, and
    Persian, Hindi and family emoji are written with them."""
    return any(sign not in allowed and unicodedata.category(sign) in _CONTROL for sign in text)


def _shown(name: str) -> str:
    return "".join("?" if has_hidden_signs(sign) else sign for sign in name[:64])


def _unreadable(file: OrgFile) -> Iterator[FieldError]:
    """Names are shown in lists, plans and the audit log: each is one line, and what it looks like. Ids of a platform
    are compared sign by sign, so that two that look alike are two accounts."""
    texts: dict[str, str | None] = {"name": file.name}
    texts |= {f"users.{code}.name": user.name for code, user in file.users.items()}
    texts |= {f"users.{code}.email": user.email for code, user in file.users.items()}
    texts |= {f"agents.{code}.name": agent.name for code, agent in file.agents.items()}
    for code, channel in file.channels.items():
        texts[f"channels.{code}.display_name"] = channel.display_name
        texts[f"channels.{code}.workspace_ref"] = channel.workspace_ref
        texts[f"channels.{code}.external_channel_ref"] = channel.external_channel_ref
    for name, identity in file.identities.items():
        texts[f"identities.{_shown(name)}.workspace_ref"] = identity.workspace_ref
        texts[f"identities.{_shown(name)}.external_user_id"] = identity.external_user_id
    for at, text in texts.items():
        shown_only = at.endswith("name")
        if text and (_has_controls(text) if shown_only else has_hidden_signs(text)):
            yield FieldError(at=at, problem="holds a sign that cannot be seen")
    for code, agent in file.agents.items():
        if _has_controls(agent.persona, "\n\r\t"):
            yield FieldError(at=f"agents.{code}.persona", problem="holds a sign that cannot be seen")


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
        if is_erased(identity.external_user_id):
            yield FieldError(
                at=f"identities.{name}.external_user_id", problem="the account of an erased person"
            )
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
        known = channels[code]["external_channel_ref"] if code in channels else code
        said = "external_channel_ref" in channel.model_fields_set
        ref = (channel.platform.value, (channel.external_channel_ref or code) if said else known)
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
