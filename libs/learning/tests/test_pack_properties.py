"""Laws of the pack that hold for any set of memories."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.pack import ActiveMemory, choose
from dw_learning.pack_blocks import CLOSE, OPEN, memory_block

SUBJECTS = st.sampled_from([None, None, None, "anna", "bert"])
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
