"""A fresh, migrated database for each test, seen as a service and as the superuser."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org

sys.path.insert(0, str(Path(__file__).parents[3]))

from libs.store.tests.builders import Admin  # found by the line above

DsnOf = Callable[[str], str]


@pytest.fixture
def admin(dsn_of: DsnOf) -> Admin:
    return Admin(dsn_of("admin"))


@pytest.fixture
def ours(admin: Admin) -> SmallOrg:
    return create_small_org(admin.dsn)


@pytest.fixture
def theirs(admin: Admin) -> SmallOrg:
    return create_small_org(admin.dsn)


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Database]:
    """The pool of the policy service."""
    async with Database.connect(dsn_of("policy"), size=4, application_name="test") as opened:
        yield opened
