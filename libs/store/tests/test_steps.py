"""Steps that the tables refuse, whatever code says (R146, DATA_MODEL 2.8); who may change the record of acts."""

from __future__ import annotations

import uuid
from itertools import product

import psycopg
import pytest

from dw_store.database import Database
from dw_testkit.orgs import SmallOrg
from libs.store.tests.builders import Admin

pytestmark = pytest.mark.integration
CHECK = psycopg.errors.CheckViolation
ITEM_STATES = ("pending", "approved", "rejected", "superseded")
MEMORY_STATES = ("active", "superseded", "archived", "deleted")


@pytest.mark.parametrize(("before", "after"), list(product(ITEM_STATES, ITEM_STATES)))
def test_a_decided_item_stays_as_it_was_decided(
    admin: Admin, ours: SmallOrg, before: str, after: str
) -> None:
    item = admin.item(ours, status=before, decided_at=None if before == "pending" else "2026-01-01")
    change = "UPDATE dw_learning_items SET status = %s, decided_at = %s WHERE id = %s"
    args = (after, None if after == "pending" else "2026-01-02", item)
    if before in ("pending", after):
        admin.query(change, *args)
        return
    with pytest.raises(CHECK):
        admin.query(change, *args)


@pytest.mark.parametrize(("before", "after"), list(product(MEMORY_STATES, MEMORY_STATES)))
def test_a_memory_that_ended_comes_back_or_stays(
    admin: Admin, ours: SmallOrg, before: str, after: str
) -> None:
    memory = admin.memory(ours, status=before)
    change = "UPDATE dw_agent_memories SET status = %s WHERE id = %s"
    if before == after or "active" in (before, after):
        admin.query(change, after, memory)
        return
    with pytest.raises(CHECK):
        admin.query(change, after, memory)


def test_a_claim_has_an_end_and_only_decisions_are_undone(admin: Admin, ours: SmallOrg) -> None:
    for values in (
        {"claimed_by": ours.user_id},
        {"undone_at": "2026-01-01"},
        {"reject_reason": "mood"},
    ):
        with pytest.raises(CHECK):
            admin.item(ours, **values)


async def test_an_act_on_record_cannot_be_rewritten(database: Database, admin: Admin, ours: SmallOrg) -> None:
    act = uuid.uuid4()
    admin.insert("dw_acts", org_id=ours.org_id, id=act, actor_user_id=ours.user_id, act="delete", changes="[]", at="2026-01-01")  # fmt: skip
    for statement in (
        "UPDATE dw_acts SET changes = '[]' WHERE org_id = $1",
        "DELETE FROM dw_acts WHERE org_id = $1",
    ):
        with pytest.raises(Exception, match="permission denied"):
            async with database.transaction([ours.org_id]) as tx:
                await tx.execute(statement, ours.org_id)
