"""Laws of the pack that hold for any set of memories."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.pack import ActiveMemory, Ordered, assemble, choose, choose_ordered
from dw_learning.pack_blocks import CLOSE, OPEN, memory_block
from dw_learning.snapshot import AgentFacts, AgentSnapshot

SUBJECTS = st.sampled_from([None, None, None, "anna", "bert"])
NOW = datetime(2026, 3, 1, tzinfo=UTC)
TIMES = st.floats(1.0, 2e9)
MEMORIES = st.lists(
    st.builds(
        ActiveMemory,
        id=st.uuids().map(str),
        scope=st.sampled_from(["org", "role_agent"]),
        layer=st.sampled_from(["operating", "knowledge"]),
        memory_type=st.just("fact"),
        key=st.sampled_from([str(n) for n in range(60)]),
        text=st.integers(1, 600).map(lambda n: "x" * n),
        subject=SUBJECTS,
        use_count=st.integers(0, 5),
        used_at=st.none() | TIMES,
        made_at=TIMES,
    ),
    max_size=60,
    unique_by=lambda m: m.id,
)


@given(MEMORIES, SUBJECTS)
@settings(max_examples=150, deadline=None)
def test_no_budget_is_ever_exceeded_and_nothing_is_lost_or_cut(
    memories: list[ActiveMemory], sender: str | None
) -> None:
    choice = choose(memories, sender)
    assert sum(m.scope == "role_agent" for m in choice.memories) <= 20
    assert sum(m.scope == "org" for m in choice.memories) <= 10
    assert choice.chars == sum(len(m.text) for m in choice.memories) <= 3_000
    assert set(choice.memories) <= set(memories)
    assert {m.id for m in choice.memories} | {left["id"] for left in choice.dropped} == {
        m.id for m in memories
    }
    assert all(m.subject in (None, sender) for m in choice.memories)


@given(MEMORIES, st.randoms())
@settings(max_examples=50, deadline=None)
def test_the_order_in_which_rows_come_does_not_matter(memories: list[ActiveMemory], random: object) -> None:
    shuffled = list(memories)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random
    assert choose(shuffled, None) == choose(memories, None)


@given(st.lists(st.text(max_size=200), max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_text_stays_one_line_of_the_block(texts: list[str]) -> None:
    block = memory_block([("role_agent", text) for text in texts])
    assert len(block.splitlines()) == 3 + max(1, len(texts))
    assert block.count(OPEN) == block.count(CLOSE) == 1
    assert block.count("«") == block.count("»") == len(texts)


@given(MEMORIES, SUBJECTS)
@settings(max_examples=100, deadline=None)
def test_a_pack_from_memory_without_a_message_is_the_pack_that_is_assembled(
    memories: list[ActiveMemory], sender: str | None
) -> None:
    people = {("slack", "", "U1"): sender} if sender is not None else {}
    snapshot = AgentSnapshot(AgentFacts("a", "it_agent", 1, memories, people=people))
    from_memory = snapshot.pack(snapshot.shape(("slack", "", "U1"), ""), NOW)
    assembled = assemble(
        role_agent_id="a", version=1, memories=memories, sender=sender, soul=None, built_at=NOW
    )
    assert from_memory == assembled | {"skills": []}


@given(MEMORIES, SUBJECTS, st.lists(st.integers(0, 59), max_size=8, unique=True))
@settings(max_examples=150, deadline=None)
def test_matches_stretch_no_budget_and_are_in_as_far_as_they_fit(
    memories: list[ActiveMemory], sender: str | None, wanted: list[int]
) -> None:
    ordered = Ordered(memories)
    matched = [place for place in wanted if ordered.own_from <= place < len(ordered.memories)]
    choice = choose_ordered(ordered, sender, matched)
    assert sum(m.scope == "role_agent" for m in choice.memories) <= 20
    assert sum(m.scope == "org" for m in choice.memories) <= 10
    assert choice.chars == sum(len(m.text) for m in choice.memories) <= 3_000
    assert list(choice.memories) == [m for m in ordered.memories if m in set(choice.memories)]
    assert len(choice.memories) + len(choice.dropped) == len(memories)
    reasons = {left["id"]: left["reason"] for left in choice.dropped}
    assert all(reasons.get(ordered.memories[place].id) != "count" for place in matched)
