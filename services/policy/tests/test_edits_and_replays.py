"""Edits, deletes and replays on a real PostgreSQL (C52, C79, C92, C104): what a message taught follows the message."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from dw_contracts.events.chat import ChatEvent, EventKind, Platform, Sender
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.decision import decide
from dw_learning.decision.facts import Caps
from dw_learning.decision.record import recalled
from dw_policy.decide_batch import DetectionIn, Policy
from dw_store.database import Database
from dw_testkit.events import AT, chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DsnOf = Callable[[str], str]
STRANGER = Sender(platform=Platform.SLACK, external_user_id="U9999")
SIX, SEVEN = "The Lisbon office closes at 18:00.", "The Lisbon office closes at 19:00."
NOT_COMPARED = {"processed_at", "seq", "created_at", "updated_at", "digest", "salt"}


def item(text: str, **fields: Any) -> DetectionItem:
    values: dict[str, Any] = {
        "kind": ItemKind.MEMORY_FACT,
        "span": (0, len(text)),
        "key": "lisbon-office-closes",
        "risk_hint": "low",
        "confidence": 0.85,
    }
    return DetectionItem(text=text, **(values | fields))


def row(event: ChatEvent, *items: DetectionItem, model: str = "m1") -> DetectionIn:
    detection = Detection(
        schema_version=1,
        decision_id=event.event_id,
        event=event.model_dump(mode="json", exclude_defaults=True),
        org_id=event.org_id,
        role_agent_id=event.role_agent_id,
        items=items,
        provider="offline",
        model=model,
        triage_version="t",
    )
    return DetectionIn(detection, event, True, "")


class World:
    """One org, one channel, one message at a time."""

    def __init__(self, dsn_of: DsnOf) -> None:
        self.admin, self.service = dsn_of("admin"), dsn_of("policy")
        self.org: SmallOrg = create_small_org(self.admin)

    def message(self, text: str, ref: str = "m1", **fields: Any) -> ChatEvent:
        return chat_event(
            self.org.org_id, self.org.agent_id, self.org.channel_id, text, message_ref=ref, **fields
        )

    def edit(self, text: str, ref: str = "m1", revision: int = 5, **fields: Any) -> ChatEvent:
        return self.message(text, ref, kind=EventKind.EDIT, revision=revision, **fields)

    def delete(self, ref: str = "m1", revision: int = 9) -> ChatEvent:
        return self.message("", ref, kind=EventKind.DELETE, revision=revision)

    async def run(self, *rows: DetectionIn) -> list[str]:
        """Decide them in one batch; the outcomes of the last one."""
        await run(self.service, rows)
        event = rows[-1].event
        assert event is not None
        return [
            rule
            for (rule,) in self.query(
                "SELECT rule FROM dw_decisions WHERE decision_id = %s ORDER BY item_no", event.event_id
            )
        ]

    async def say(self, text: str, **fields: Any) -> list[str]:
        return await self.run(row(self.message(text, **fields), item(text)))

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def memories(self) -> list[tuple[Any, ...]]:
        return self.query(
            "SELECT content, status, metadata FROM dw_agent_memories ORDER BY created_at, content"
        )

    def items(self) -> list[tuple[Any, ...]]:
        return self.query(
            "SELECT kind, action, reason_code, proposed_payload ->> 'content', source_marks"
            " FROM dw_learning_items ORDER BY reason_code, 4"
        )

    def events(self, name: str) -> int:
        [(count,)] = self.query("SELECT count(*) FROM dw_learning_events WHERE event_type = %s", name)
        return int(count)

    def snapshot(self) -> dict[str, list[str]]:
        """Every row of every table but for clocks and counters."""
        tables = [
            name
            for (name,) in self.query(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
                " AND relname NOT IN ('dw_migrations', 'dw_consumed_messages') ORDER BY 1"
            )
        ]
        skipped = " - ".join(f"'{name}'" for name in sorted(NOT_COMPARED))
        return {
            table: sorted(
                str(found) for (found,) in self.query(f"SELECT to_jsonb(t) - {skipped} FROM {table} AS t")
            )
            for table in tables
        }


async def run(dsn: str, rows: Iterable[DetectionIn]) -> None:
    batch = list(rows)
    async with (
        Database.connect(dsn, size=1, application_name="test") as database,
        database.transaction({r.detection.org_id for r in batch}) as tx,
    ):
        assert not await Policy(Caps(), lambda: NOW).run(tx, batch)


@pytest.fixture
def world(dsn_of: DsnOf) -> World:
    return World(dsn_of)


async def test_an_edit_marks_what_was_learned_and_proposes_the_update(world: World) -> None:
    await world.say(SIX)
    assert await world.run(row(world.edit(SEVEN), item(SEVEN))) == ["propose.edited", "source.edited"]
    assert world.memories() == [(SIX, "active", {"source_edited": True})], "an edit saves nothing by itself"
    assert world.items() == [("memory_proposal", "update", "edited", SEVEN, [])]
    [(target,)] = world.query(
        "SELECT target_memory_id = (SELECT id FROM dw_agent_memories) FROM dw_learning_items"
    )
    assert target
    assert world.events("source_edited") == 1


async def test_an_edit_to_small_talk_marks_and_teaches_nothing(world: World) -> None:
    await world.say(SIX)
    assert await world.run(row(world.edit("never mind"))) == ["none.no_items", "source.edited"]
    assert world.memories() == [(SIX, "active", {"source_edited": True})]


async def test_a_secret_that_is_edited_in_is_blocked_and_marks_the_memory(world: World) -> None:
    await world.say(SIX)
    edit = world.edit(
        "[redacted:password]", redactions=({"field": "text", "type": "password", "span": (0, 19)},)
    )
    assert await world.run(row(edit)) == ["scan.redacted_at_ingest", "source.edited"]
    assert world.memories() == [(SIX, "active", {"source_edited": True})]
    assert world.events("secret_blocked") == 1


async def test_a_detection_of_an_older_revision_is_stale(world: World) -> None:
    """The edit was decided before its original, as a replayed dead letter comes late."""
    assert await world.run(row(world.edit(SEVEN), item(SEVEN))) == ["propose.edited"]
    assert await world.say(SIX) == ["none.stale"]
    assert await world.run(row(world.edit(SIX, revision=4), item(SIX))) == ["none.stale"]
    assert world.memories() == []
    assert len(world.items()) == 1


async def test_a_newer_edit_counts_also_within_one_batch(world: World) -> None:
    rows = [row(world.edit(SEVEN), item(SEVEN)), row(world.message(SIX), item(SIX))]
    assert await world.run(*rows) == ["none.stale"]
    assert world.memories() == []


async def test_what_waits_is_marked_when_its_message_is_edited_or_deleted(world: World) -> None:
    await world.say(SIX, sender=STRANGER)
    await world.run(row(world.edit("never mind", sender=STRANGER)))
    assert world.items() == [("memory_proposal", "create", "unverified_sender", SIX, ["source_edited"])]
    assert await world.run(row(world.delete())) == ["source.deleted"]
    assert world.items()[0][-1] == ["source_deleted", "source_edited"]
    assert world.query("SELECT status FROM dw_learning_items") == [("pending",)], "a person decides"
    assert (world.events("source_edited"), world.events("source_deleted")) == (1, 1)


async def test_also_within_one_batch_and_for_merged_signals(world: World) -> None:
    first = row(world.message(SIX, "m1", sender=STRANGER), item(SIX))
    again = row(world.message(SIX, "m2", sender=STRANGER), item(SIX))
    await world.run(first, again, row(world.delete("m2")))
    assert [found[-1] for found in world.items()] == [["source_deleted"]]


async def test_a_deleted_message_marks_the_memory_and_asks_once(world: World) -> None:
    await world.say(SIX)
    assert await world.run(row(world.delete())) == ["source.deleted", "propose.source_deleted"]
    assert await world.run(row(world.delete(revision=10))) == ["source.deleted", "merge.same_signal"]
    assert world.memories() == [(SIX, "active", {"source_deleted": True})], "the memory stays"
    assert world.items() == [("review", "review", "source_deleted", SIX, [])]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE dw_role_agents SET learning_enabled = FALSE",
        "UPDATE dw_channels SET learning = 'off'",
        "UPDATE dw_role_agents SET status = 'disabled'",
        "DELETE FROM dw_channel_agents",
    ],
)
async def test_changes_of_a_message_count_while_nothing_is_learned(world: World, change: str) -> None:
    await world.say(SIX)
    await world.say("The Porto office closes at 17:00.", ref="m2", sender=STRANGER)
    world.query(change)
    edited = await world.run(row(world.edit(SEVEN), item(SEVEN)))
    assert [rule for rule in edited if rule.startswith("propose")] == []
    assert edited[-1] == "source.edited"
    await world.run(row(world.delete("m1")), row(world.delete("m2")))
    assert world.memories() == [(SIX, "active", {"source_edited": True, "source_deleted": True})]
    assert ["source_deleted"] in [found[-1] for found in world.items()]


async def test_a_message_after_its_own_delete_teaches_nothing(world: World) -> None:
    assert await world.run(row(world.delete())) == ["none.nothing_learned"]
    assert await world.say(SIX) == ["none.deleted_source"]
    assert await world.run(row(world.edit(SEVEN, revision=20), item(SEVEN))) == ["none.deleted_source"]
    assert (world.memories(), world.items()) == ([], [])
    assert world.query("SELECT deleted FROM dw_sources") == [(True,)]


async def test_the_same_message_of_another_channel_is_another_message(world: World) -> None:
    await world.say(SIX)
    other = uuid.uuid4()
    world.query(
        "INSERT INTO dw_channels (id, org_id, code, role_agent_id, platform, external_channel_ref)"
        " VALUES (%s, %s, 'other', %s, 'slack', 'C-OTHER')",
        other,
        world.org.org_id,
        world.org.agent_id,
    )
    world.query(
        "INSERT INTO dw_channel_agents (org_id, channel_id, role_agent_id) VALUES (%s, %s, %s)",
        world.org.org_id,
        other,
        world.org.agent_id,
    )
    elsewhere = chat_event(
        world.org.org_id, world.org.agent_id, other, "", message_ref="m1", kind=EventKind.DELETE, revision=9
    )
    assert await world.run(row(elsewhere)) == ["none.nothing_learned"]
    assert world.memories() == [(SIX, "active", {})]


async def test_a_deleted_message_of_another_org_changes_nothing_here(world: World) -> None:
    """The platform's ids are no secret: another org may see the same ones."""
    await world.say(SIX)
    other = create_small_org(world.admin)
    gone = chat_event(
        other.org_id,
        other.agent_id,
        other.channel_id,
        "",
        message_ref="m1",
        kind=EventKind.DELETE,
        revision=9,
    )
    await world.run(row(gone))
    assert world.memories() == [(SIX, "active", {})]


def script(world: World) -> list[DetectionIn]:
    """Everything that can happen to a message, in order."""
    porto, faro = "The Porto office closes at 17:00.", "The Faro office closes at 16:00."
    return [
        row(world.message(SIX, "m1"), item(SIX)),
        row(world.message(SEVEN, "m2"), item(SEVEN, kind=ItemKind.CORRECTION)),
        row(world.message(porto, "m3", sender=STRANGER), item(porto, key="porto")),
        row(world.message(porto, "m4", sender=STRANGER), item(porto, key="porto")),
        row(world.edit(SIX, "m2"), item(SIX)),
        row(world.delete("m4")),
        row(world.message(faro, "m5"), item(faro, key="faro")),
        row(world.delete("m5")),
        row(world.message(faro, "m5"), item(faro, key="faro")),
        row(world.message("The wifi password is hunter2hunter2", "m6")),
    ]


@pytest.mark.parametrize("pruned", [False, True])
async def test_a_replay_from_the_start_changes_nothing(world: World, pruned: bool) -> None:
    """C79, C104: in batches of any size, also when the inbox was pruned, also by another model (it was asked before:
    decisions are by event)."""
    rows = script(world)
    await run(world.service, rows)
    before = world.snapshot()
    assert before["dw_agent_memories"]
    assert before["dw_learning_items"]
    if pruned:
        world.query("DELETE FROM dw_consumed_messages")
    await run(world.service, rows)
    for one in rows:
        await run(world.service, [one])
    other_model = [row(r.event, *r.detection.items, model="m2") for r in rows if r.event is not None]
    await run(world.service, other_model)
    assert world.snapshot() == before


async def test_every_decision_comes_out_equal_when_it_is_decided_anew_from_its_record(world: World) -> None:
    """D15, C79: the record holds all that it rested on, but for the texts of memories and items, which have their own rows."""
    retract = item("Forget that.", kind=ItemKind.RETRACT)
    forget = world.message(
        "Forget that.", "m9", reply_to={"message_ref": "m8", "author_kind": "human", "text": ""}
    )
    rows = [
        *script(world),
        row(world.message("We call the board Kanto.", "m8"), item("We call the board Kanto.", key="board")),
        row(forget, retract),
        row(world.message("We call the board Kanto.", "m10"), item("We call the board Kanto.", key="board")),
        row(world.delete("m7")),
        row(world.message(SIX, "m7"), item(SIX)),
    ]
    world.query("UPDATE dw_role_agents SET auto_saves_per_day = 4")
    await run(world.service, rows)
    texts = dict(
        world.query(
            "SELECT id, content FROM dw_agent_memories UNION ALL"
            " SELECT id, proposed_payload ->> 'content' FROM dw_learning_items"
        )
    )
    decided: dict[uuid.UUID, list[tuple[Any, ...]]] = {}
    records: dict[uuid.UUID, Any] = {}
    for decision_id, inputs, *outcome in world.query(
        "SELECT decision_id, inputs, outcome, reason, rule FROM dw_decisions ORDER BY decision_id, item_no"
    ):
        records[decision_id] = inputs
        decided.setdefault(decision_id, []).append(tuple(outcome))
    assert len(records) == len({row.detection.decision_id for row in rows})
    assert {outcome[0] for outcomes in decided.values() for outcome in outcomes} >= {
        "saved", "proposed", "merged", "blocked", "none",
    }  # fmt: skip
    assert {"tombstoned", "deleted_source"} <= {o[1] for outcomes in decided.values() for o in outcomes}
    for decision_id, record in records.items():
        case, state = recalled(record, texts, {})
        anew = [(made.kind, getattr(made, "reason", None), made.rule) for made in decide(case, state)]
        assert anew == decided[decision_id], record["event"]["text"]


async def test_what_an_earlier_triage_let_go_is_only_proposed_when_it_is_replayed(world: World) -> None:
    """C79: the message came an hour before the newest one that was decided, and was let go then."""
    faro = "The Faro office closes at 16:00."
    await world.say(SIX)
    soon = world.message(faro, "m2", received_at=AT - timedelta(minutes=14))
    assert await world.run(row(soon, item(faro, key="faro"))) == ["save.low_risk"]
    porto = "The Porto office closes at 17:00."
    late = world.message(porto, "m3", received_at=AT - timedelta(hours=1))
    assert await world.run(row(late, item(porto, key="porto"))) == ["propose.replayed"]
    assert [content for content, *_ in world.memories()] == [faro, SIX]


async def test_a_clock_that_nobody_vouches_for_makes_no_replay_of_the_rest(world: World) -> None:
    forged = world.message("hello", "m2", received_at=AT + timedelta(days=300))
    await run(world.service, [DetectionIn(row(forged).detection, forged, False, "")])
    assert await world.say(SIX) == ["save.low_risk"]


@pytest.mark.parametrize("seed", range(6))
async def test_any_interleaving_of_agents_ends_in_the_same_state(dsn_of: DsnOf, seed: int) -> None:
    """Each agent's order is kept; records come again, in batches of any size."""
    chance = random.Random(seed)
    first, second = World(dsn_of), World(dsn_of)
    queues = [script(first), script(second)]
    plain = World(dsn_of)
    await run(plain.service, script(plain))
    stream: list[DetectionIn] = []
    while any(queues):
        queue = chance.choice([queue for queue in queues if queue])
        stream.append(queue.pop(0))
        if chance.random() < 0.3:
            stream += stream[-chance.randint(1, 4) :]
    while stream:
        size = chance.randint(1, 6)
        await run(first.service, stream[:size])
        stream = stream[size:]

    def state(world: World) -> list[tuple[Any, ...]]:
        org = world.org.org_id
        memories = (
            "SELECT content, status, metadata::text FROM dw_agent_memories WHERE org_id = %s ORDER BY 1, 2"
        )
        items = (
            "SELECT kind, reason_code, evidence_count::text, source_marks::text FROM dw_learning_items"
            " WHERE org_id = %s ORDER BY 1, 2, 3"
        )
        return [*world.query(memories, org), *world.query(items, org)]

    assert state(first) == state(second) == state(plain)
