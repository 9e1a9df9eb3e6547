"""An org, and a gate in front of models that answer what a test says."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from dw_runtime import Handle
from dw_store.database import Database
from dw_testkit.orgs import SmallOrg, create_small_org

sys.path.insert(0, str(Path(__file__).parents[3]))

from services.detector.tests.gate_world import World  # found by the line above

DsnOf = Callable[[str], str]


@pytest.fixture
def org(dsn_of: DsnOf) -> SmallOrg:
    return create_small_org(dsn_of("admin"))


@pytest.fixture
async def database(dsn_of: DsnOf) -> AsyncIterator[Handle[Database]]:
    async with Database.connect(dsn_of("detector"), size=8, application_name="test") as opened:
        handle: Handle[Database] = Handle("database")
        handle.set(opened)
        yield handle


@pytest.fixture
async def world(
    dsn_of: DsnOf, org: SmallOrg, database: Handle[Database]
) -> AsyncIterator[Callable[..., World]]:
    """A gate whose models give these answers, one after the other."""
    async with AsyncExitStack() as stack:

        def make(*answers: Any, **fields: Any) -> World:
            made = World(org, dsn_of("admin"), database, list(answers or (500,)), **fields)
            stack.push_async_callback(made.client().aclose)
            return made

        yield make
