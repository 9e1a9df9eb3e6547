"""One account id in two workspaces of one org: two people, whose words are copied and erased apart (C48, C72, D59)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import pytest

from dw_contracts.events.chat import ChatEvent, Correction, EventKind, Platform, Sender, Tool
from dw_store.database import Database
from dw_store.erasure import Account, Eraser, Person, erase_person
from dw_store.history import HistoryRow, write_history
from dw_store.person_export import CORRECTIONS, TOOL_RUNS, find_person, held_page
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
OURS: Account = ("slack", "T-ONE", "U4711")
THEIRS: Account = ("slack", "T-TWO", "U4711")
TEXTS = "SELECT input FROM dw_tool_runs UNION ALL SELECT wrong_text || ' ' || right_text FROM dw_corrections ORDER BY 1"


@pytest.fixture
async def context(dsn_of: Callable[[str], str]) -> AsyncIterator[Database]:
    """The pool of the service that writes history."""
    async with Database.connect(dsn_of("context"), size=1, application_name="test") as opened:
        yield opened


def events_of(org: SmallOrg, account: Account, name: str) -> list[ChatEvent]:
    """A tool run and a correction of one account, which both say whose they are."""
    sender = Sender(platform=Platform.SLACK, workspace_ref=account[1], external_user_id=account[2])
    place = (org.org_id, org.agent_id, org.channel_id)
    return [
        chat_event(*place, sender=sender, kind=EventKind.TOOL_RUN, tool=Tool(name="ldap", input=name)),
        chat_event(
            *place,
            sender=sender,
            kind=EventKind.CORRECTION,
            correction=Correction(wrong=name, right="ten"),
        ),
    ]


@pytest.fixture
async def both(context: Database, ours: SmallOrg) -> SmallOrg:
    """An org in which both have worked."""
    events = [*events_of(ours, OURS, "anna"), *events_of(ours, THEIRS, "bert")]
    async with context.transaction([ours.org_id]) as tx:
        await write_history(tx, [HistoryRow(event, True, "") for event in events])
    return ours


async def copied(database: Database, org: SmallOrg, account: Account) -> list[str]:
    """Inputs and wrong texts of a person's copy."""
    async with database.transaction([org.org_id]) as tx:
        held = await find_person(tx, org.org_id, None, [account], ())
        runs = await held_page(tx, org.org_id, held, TOOL_RUNS, None)
        corrections = await held_page(tx, org.org_id, held, CORRECTIONS, None)
    return [*sorted(row["input"] for row in runs), *(row["wrong_text"] for row in corrections)]


async def test_a_copy_holds_the_words_of_one_workspace(database: Database, both: SmallOrg) -> None:
    assert await copied(database, both, OURS) == ["anna", "anna"]
    assert await copied(database, both, THEIRS) == ["bert", "bert"]


async def test_an_erasure_takes_the_words_of_one_workspace(
    database: Database, both: SmallOrg, admin: Admin
) -> None:
    async with database.transaction([both.org_id]) as tx:
        await erase_person(tx, both.org_id, Person(None, [OURS], ()), Eraser(both.user_id, ""), NOW)
    assert admin.query(TEXTS) == [("",), (" ",), ("bert",), ("bert ten",)]
    assert admin.query("SELECT count(*) FROM dw_tool_runs WHERE workspace_ref = 'T-ONE'") == [(0,)]


async def test_what_was_written_before_the_workspace_was_kept_is_the_channels(
    database: Database, both: SmallOrg, admin: Admin
) -> None:
    admin.query("UPDATE dw_tool_runs SET workspace_ref = NULL")
    admin.query("UPDATE dw_channels SET workspace_ref = 'T-ONE'")
    assert await copied(database, both, OURS) == ["anna", "bert", "anna"]
    assert await copied(database, both, THEIRS) == ["bert"]
