"""A pack that is put together from rendered parts says byte for byte what the plain pack says."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_contracts.http.context import PackSoul
from dw_learning.pack import ActiveMemory, Pack, Soul
from dw_learning.skill_choice import Offer
from dw_learning.snapshot import MAX_STANDINGS, AgentFacts, AgentSnapshot, Shape

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SIGNS = st.text('ab «»<>"\\\n/é日', min_size=1, max_size=30)
SOULS = st.none() | st.builds(
    Soul,
    st.builds(
        PackSoul, code=st.just("kind"), version=st.integers(1, 9), tone_rules=SIGNS, do_not_do=st.text("a\n")
    ),
    soul_paused=st.booleans(),
)


def memories(
    subjects: list[str | None], of_org: list[str], longest: int
) -> st.SearchStrategy[list[ActiveMemory]]:
    """Of one mood: whose preferences there are, how much is the org's, how long a text may be."""
    return st.lists(
        st.builds(
            ActiveMemory,
            id=st.uuids().map(str),
            scope=st.sampled_from(of_org),
            layer=st.sampled_from(["operating", "knowledge"]),
            memory_type=st.just("fact"),
            key=st.integers(0, 200).map(str),
            text=st.builds(lambda text, times: text * times, SIGNS, st.integers(1, longest)),
            subject=st.sampled_from(subjects),
            use_count=st.integers(0, 3),
            made_at=st.floats(1.0, 9.0),
        ),
        max_size=130,
        unique_by=lambda memory: memory.id,
    )


MOODS = st.one_of(
    memories([None], ["role_agent"], 1),
    memories([None, None, None, "anna"], ["org", "role_agent", "role_agent", "role_agent"], 1),
    memories(["anna", "bert", None], ["role_agent"], 20),
)


@st.composite
def snapshots(draw: st.DrawFn) -> AgentSnapshot:
    """A role-agent with up to 130 memories and three skills."""
    skills = [Offer(f"skill-{n}", f"name-{n}", "What for.", n, f'1. "Do" {n}\n') for n in range(3)]
    facts = AgentFacts(
        "agent", "code", 7, draw(MOODS), soul=draw(SOULS), skills=skills, more_active=draw(st.booleans())
    )
    return AgentSnapshot(facts)


def plainly(pack: Pack) -> bytes:
    """The pack's JSON up to its time, the way it has always been made."""
    return orjson.dumps({name: value for name, value in pack.items() if name != "built_at"}, default=vars)[
        :-1
    ]


@given(snapshots(), st.sampled_from([None, "anna"]), st.data())
@settings(max_examples=250, deadline=None)
def test_parts_make_the_same_bytes_as_the_whole(
    snapshot: AgentSnapshot, sender: str | None, data: st.DataObject
) -> None:
    ordered = snapshot.ordered
    own = range(ordered.own_from, len(ordered.memories))
    seen = [place for place in own if ordered.hidden(place, sender) is None]
    matched = data.draw(st.lists(st.sampled_from(seen), max_size=8, unique=True)) if seen else []
    shape = Shape(
        sender,
        tuple(matched),
        data.draw(st.sampled_from([None, 0, 2])),
        tuple(data.draw(st.sampled_from([[], [0, 1]]))),
    )
    draw, pack = snapshot.draw(shape), snapshot.pack(shape, NOW)
    if draw is None:
        return
    assert snapshot.head(shape, draw) == plainly(pack)
    assert snapshot.given_ids(shape, draw).decode() == ",".join(memory["id"] for memory in pack["memories"])
    reasons = Counter(left["reason"] for left in pack["dropped"])
    for most in (10, 50):
        why = orjson.loads(snapshot.why_left_out(shape, draw, most))
        assert why == {"nearest": pack["dropped"][:most], "reasons": reasons, "more": pack["more_dropped"]}


def agent(count: int, subject: str | None = None, length: int = 20) -> AgentSnapshot:
    """A role-agent with memories that are all alike but for their place."""
    made = [
        ActiveMemory(
            f"{n:04}", "role_agent", "knowledge", "fact", str(n), "x" * length, subject, use_count=-n
        )
        for n in range(count)
    ]
    return AgentSnapshot(AgentFacts("agent", "code", 1, made))


def test_most_packs_are_made_of_parts() -> None:
    assert agent(1_000).draw(Shape(None, (3, 500, 20, 999), None, ())) == (17, (20, 500, 999), 400)
    assert agent(5).draw(Shape(None, (), None, ())) == (5, (), 100)


def test_where_characters_decide_the_plain_way_is_taken() -> None:
    assert agent(1_000, length=151).draw(Shape(None, (), None, ())) is None
    assert agent(1_000, length=150).draw(Shape(None, (), None, ())) == (20, (), 3_000)


def test_where_what_is_hidden_fills_the_list_the_plain_way_is_taken() -> None:
    mixed = AgentSnapshot(
        AgentFacts("agent", "code", 1, [*agent(60, "bert").facts.memories, *_behind(30)]),
    )
    assert mixed.draw(Shape(None, (), None, ())) is None
    assert mixed.draw(Shape("bert", (), None, ())) == (20, (), 400)


def _behind(count: int) -> list[ActiveMemory]:
    return [
        ActiveMemory(f"b{n}", "role_agent", "knowledge", "fact", f"b{n}", "y", use_count=-1_000)
        for n in range(count)
    ]


def test_senders_of_many_kinds_do_not_fill_the_memory() -> None:
    snapshot = agent(30)
    everybody = Shape(None, (), None, ())
    snapshot.draw(everybody)
    for_all = snapshot._standings[None]
    for n in range(3 * MAX_STANDINGS):
        snapshot.draw(Shape(f"person-{n}", (), None, ()))
    assert len(snapshot._standings) == MAX_STANDINGS
    assert snapshot._standings[None] is for_all
    assert f"person-{3 * MAX_STANDINGS - 2}" in snapshot._standings
