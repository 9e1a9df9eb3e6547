"""Which memories the org's word overrules (C19, R173)."""

from __future__ import annotations

from dw_learning.conflicts import MAX_CONFLICTS, Conflict, conflicts_in, conflicts_of, question_key
from dw_learning.pack import ActiveMemory, Ordered, choose


def memory(id: str, text: str, key: str = "hours", **more: object) -> ActiveMemory:
    valid = {"scope": "role_agent", "layer": "knowledge", "memory_type": "fact"}
    return ActiveMemory(id=id, key=key, text=text, **(valid | more))  # type: ignore[arg-type]


ORG = memory("o", "Offices close at 17:00.", scope="org")


def test_another_word_on_the_same_topic_is_a_conflict() -> None:
    own = memory("a", "The office closes at 19:00.")
    assert conflicts_of(Ordered([own, ORG])) == (Conflict("a", "o"),)
    assert conflicts_in(choose([own, ORG], None).dropped) == (Conflict("a", "o"),)


def test_what_says_the_same_what_is_one_persons_taste_and_other_topics_or_layers_are_none() -> None:
    others = [
        memory("same", "offices close at 17:00"),
        memory("taste", "Show me 19:00.", subject="minh"),
        memory("topic", "The lab closes at 19:00.", key="lab"),
        memory("layer", "Say hours as 19:00.", layer="operating"),
    ]
    assert conflicts_of(Ordered([*others, ORG])) == ()


def test_the_nearest_conflicts_come_first_and_there_is_an_end() -> None:
    own = [memory(f"a{n:03}", f"It closes at {n}.", f"k{n}", use_count=n) for n in range(60)]
    org = [memory(f"o{n:03}", "It never closes.", f"k{n}", scope="org") for n in range(60)]
    found = conflicts_of(Ordered([*own, *org]))
    assert len(found) == MAX_CONFLICTS
    assert found[0] == Conflict("a059", "o059")


def test_a_question_is_of_its_pair_and_of_both_texts() -> None:
    pair = Conflict("a", "o")
    keys = {
        question_key(pair, b"1", b"2"),
        question_key(pair, b"1", b"3"),
        question_key(pair, b"3", b"2"),
        question_key(Conflict("b", "o"), b"1", b"2"),
    }
    assert len(keys) == 4
    assert question_key(pair, b"1", b"2") in keys
