"""Keys and tokens: shown once, found by a hash alone, dead when revoked or over (C46, C73, C74)."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from dw_store.database import Database
from dw_store.keys import (
    PREFIX,
    FoundKey,
    Kind,
    NewKey,
    create_key,
    find_key,
    hash_secret,
    new_secret,
    revoke_keys,
)
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PEPPER = "a pepper of tests"
KINDS: tuple[Kind, ...] = ("gateway", "runtime", "user", "session")


async def make(database: Database, org: SmallOrg, **fields: Any) -> tuple[NewKey, str]:
    valid: dict[str, Any] = {"kind": "gateway", "name": "slack", "created_by": "test"}
    key = NewKey(key_id=uuid.uuid4(), org_id=org.org_id, **(valid | fields))
    async with database.transaction([org.org_id]) as tx:
        return key, await create_key(tx, key, PEPPER)


async def find(
    database: Database, secret: str, kind: Kind = "gateway", now: datetime = NOW, pepper: str = PEPPER
) -> FoundKey | None:
    async with database.system() as tx:
        return await find_key(tx, hash_secret(secret, pepper), [kind], now)


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_says_what_it_opens_and_holds_256_random_bits(kind: Kind) -> None:
    secrets = {new_secret(kind) for _ in range(100)}
    assert len(secrets) == 100
    assert all(re.fullmatch(re.escape(PREFIX[kind]) + r"[\w-]{43}", secret) for secret in secrets)
    assert [PREFIX[k] for k in KINDS] == ["dw_gw_", "dw_rt_", "dw_ut_", "dw_st_"]


def test_a_hash_needs_the_pepper_and_takes_any_text() -> None:
    assert hash_secret("s", PEPPER) != hash_secret("s", "another")
    assert len(hash_secret("\ud800\x00", PEPPER)) == 32


@pytest.mark.integration
async def test_a_key_is_found_by_its_secret_without_a_tenant_and_names_its_org(
    database: Database, ours: SmallOrg
) -> None:
    key, secret = await make(database, ours, channel_ids=[ours.channel_id], proves_sender=False)
    assert await find(database, secret) == FoundKey(
        key.key_id, ours.org_id, "gateway", None, (ours.channel_id,), (), False
    )


@pytest.mark.integration
async def test_a_key_of_another_kind_pepper_or_spelling_is_none(database: Database, ours: SmallOrg) -> None:
    _, secret = await make(database, ours)
    assert await find(database, secret, kind="runtime") is None
    assert await find(database, secret, pepper="another") is None
    assert await find(database, secret + " ") is None
    assert await find(database, "") is None


@pytest.mark.integration
async def test_a_key_ends_with_its_time_and_with_its_revocation(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    key, secret = await make(database, ours, expires_at=NOW + timedelta(minutes=1))
    assert await find(database, secret) is not None
    assert await find(database, secret, now=NOW + timedelta(minutes=1)) is None
    async with database.transaction([theirs.org_id]) as tx:
        await revoke_keys(tx, theirs.org_id, [key.key_id], NOW)
    assert await find(database, secret) is not None
    async with database.transaction([ours.org_id]) as tx:
        await revoke_keys(tx, ours.org_id, [key.key_id], NOW)
    assert await find(database, secret) is None


@pytest.mark.integration
async def test_the_secret_stands_nowhere_in_the_database(
    database: Database, admin: Admin, ours: SmallOrg
) -> None:
    _, secret = await make(database, ours)
    (row,) = admin.query("SELECT dw_api_keys::text, key_hash FROM dw_api_keys")
    assert secret not in row[0]
    assert secret.encode() not in row[1]


@pytest.mark.integration
async def test_a_name_is_used_once_among_live_keys_and_a_person_has_many_tokens(
    database: Database, ours: SmallOrg, theirs: SmallOrg
) -> None:
    first, _ = await make(database, ours)
    await make(database, theirs)
    with pytest.raises(Exception, match="dw_api_keys_name"):
        await make(database, ours)
    async with database.transaction([ours.org_id]) as tx:
        await revoke_keys(tx, ours.org_id, [first.key_id], NOW)
    await make(database, ours)
    for _ in range(2):
        await make(database, ours, kind="user", name="token", user_id=ours.user_id)


@pytest.mark.integration
def test_a_token_belongs_to_a_member_and_a_gateways_key_to_nobody(
    admin: Admin, ours: SmallOrg, theirs: SmallOrg
) -> None:
    key = {"id": uuid.uuid4(), "org_id": ours.org_id, "name": "n", "key_hash": b"h"}
    with pytest.raises(psycopg.errors.CheckViolation):
        admin.insert("dw_api_keys", **key, kind="user")
    with pytest.raises(psycopg.errors.CheckViolation):
        admin.insert("dw_api_keys", **key, kind="gateway", user_id=ours.user_id)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        admin.insert("dw_api_keys", **key, kind="user", user_id=theirs.user_id)
