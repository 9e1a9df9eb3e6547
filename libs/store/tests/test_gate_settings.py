"""What models were called under, by change, kept for good (G33)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from dw_store.database import Database
from dw_store.gate_settings import record_settings, settings_changes
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
FIRST = {"model": "small", "prices": "small=1/4"}
SECOND = {"model": "big", "prices": "big=10/40"}


async def test_a_change_stands_with_what_was_before_and_none_is_no_change(database: Database) -> None:
    hour = timedelta(hours=1)
    assert await record_settings(database, FIRST, NOW)
    assert not await record_settings(database, dict(reversed(FIRST.items())), NOW + hour)
    assert await record_settings(database, SECOND, NOW + 2 * hour)
    assert await record_settings(database, FIRST, NOW + 3 * hour), "back is a change too"
    assert [(row["before"], row["after"], row["at"]) for row in await settings_changes(database)] == [
        (SECOND, FIRST, NOW + 3 * hour),
        (FIRST, SECOND, NOW + 2 * hour),
        (None, FIRST, NOW),
    ]


async def test_many_processes_that_start_at_once_make_one_record(database: Database) -> None:
    told = await asyncio.gather(*(record_settings(database, FIRST, NOW) for _ in range(20)))
    assert sum(told) == 1
    assert len(await settings_changes(database)) == 1


@pytest.mark.parametrize(
    "statement", ["UPDATE dw_gate_settings SET before = NULL", "DELETE FROM dw_gate_settings"]
)
async def test_nobody_changes_what_is_on_record(database: Database, admin: Admin, statement: str) -> None:
    await record_settings(database, FIRST, NOW)
    with pytest.raises(psycopg.errors.RestrictViolation):
        admin.query(statement)
