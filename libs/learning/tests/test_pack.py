"""The ContextPack's budgets, order and reasons (R157 to R162, C17 to C19, C65, C80)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from dw_contracts.http.context import ContextPack, PackSkill, PackSoul
from dw_learning.pack import (
    MAX_DROPPED_LISTED,
    ActiveMemory,
    Layer,
    Pack,
    Scope,
    Soul,
    assemble,
    choose,
    shown_soul,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ANNA, BERT = str(UUID(int=0xA)), str(UUID(int=0xB))
SOUL = PackSoul(code="balanced_helper", version=1, tone_rules="Be brief.", do_not_do="Do not guess.")


def memory(
    text: str = "The office opens at nine.",
    *,
    scope: Scope = "role_agent",
    layer: Layer = "knowledge",
    key: str | None = None,
    subject: str | None = None,
    used: int = 0,
    days_ago: int = 0,
) -> ActiveMemory:
    """A memory with valid defaults and a key of its own."""
    made = str(uuid4())
    return ActiveMemory(
        id=made,
        scope=scope,
        layer=layer,
        memory_type="fact",
        key=key if key is not None else made,
        text=text,
        subject=subject,
        use_count=used,
        made_at=(NOW - timedelta(days=days_ago)).timestamp(),
    )


def pack_of(*memories: ActiveMemory, sender: str | None = None, soul: Soul | None = None) -> ContextPack:
    """The pack of an agent with these memories."""
    return contract(
        assemble(
            role_agent_id=str(UUID(int=1)),
            version=7,
            memories=memories,
            sender=sender,
            soul=soul,
            built_at=NOW,
        )
    )


def contract(pack: Pack) -> ContextPack:
    """The pack as it is read from JSON; has every field, and no other."""
    assert pack.keys() == ContextPack.model_fields.keys()
    return ContextPack.model_validate(pack)


def reasons(pack: ContextPack) -> dict[str, str]:
    """Why each dropped one is not in the pack."""
    return {str(dropped.id): dropped.reason for dropped in pack.dropped}


def test_of_twenty_one_role_agent_memories_twenty_are_in_and_the_last_says_count() -> None:
    memories = [memory(days_ago=day) for day in range(21)]
    pack = pack_of(*reversed(memories))
    assert [str(entry.id) for entry in pack.memories] == [m.id for m in memories[:20]]
    assert reasons(pack) == {memories[20].id: "count"}


def test_of_eleven_org_wide_memories_ten_are_in_and_they_take_no_place_of_the_role_agent() -> None:
    org = [memory(scope="org", days_ago=day) for day in range(11)]
    own = [memory(days_ago=day) for day in range(20)]
    pack = pack_of(*own, *org)
    assert [str(entry.id) for entry in pack.memories] == [m.id for m in (*org[:10], *own)]
    assert reasons(pack) == {org[10].id: "org_count"}


@pytest.mark.parametrize(("length", "inside"), [(1_000, True), (1_001, False)])
def test_three_thousand_characters_fit_and_three_thousand_and_one_do_not(length: int, inside: bool) -> None:
    first, second = memory("a" * 2_000, used=2), memory("b" * length, used=1)
    pack = pack_of(first, second)
    assert (second.id in {str(entry.id) for entry in pack.memories}) is inside
    assert pack.memory_chars == (2_000 + length if inside else 2_000)
    assert reasons(pack) == ({} if inside else {second.id: "chars"})


def test_a_memory_is_never_cut_and_a_shorter_one_behind_it_still_gets_in() -> None:
    long, short = memory("x" * 600, used=1), memory("y" * 100)
    filler = [memory("z" * 570, used=9) for _ in range(5)]
    pack = pack_of(long, short, *filler)
    assert [entry.text for entry in pack.memories] == [*(m.text for m in filler), short.text]
    assert reasons(pack) == {long.id: "chars"}


def test_characters_are_counted_not_bytes() -> None:
    pack = pack_of(memory("道" * 2_999), memory("я"))
    assert pack.memory_chars == 3_000


def test_order_is_org_first_then_operating_then_usage_then_recency() -> None:
    ordered = [
        memory("org operating", scope="org", layer="operating"),
        memory("org knowledge", scope="org", used=50),
        memory("own operating, used", layer="operating", used=2, days_ago=9),
        memory("own operating, fresh", layer="operating", used=1),
        memory("own operating, older", layer="operating", used=1, days_ago=1),
        memory("own knowledge", used=99),
    ]
    assert [entry.text for entry in pack_of(*reversed(ordered)).memories] == [m.text for m in ordered]


def test_a_preference_is_shown_only_to_the_person_it_is_about() -> None:
    annas, everybodys = memory("Anna wants bullet points.", subject=ANNA), memory("Tickets go to Jira.")
    for_anna = pack_of(annas, everybodys, sender=ANNA)
    for_bert = pack_of(annas, everybodys, sender=BERT)
    for_nobody = pack_of(annas, everybodys)
    assert annas.id in {str(entry.id) for entry in for_anna.memories}
    assert reasons(for_bert) == reasons(for_nobody) == {annas.id: "subject"}
    assert "bullet points" not in for_bert.blocks["memory"]


def test_of_other_peoples_preferences_only_the_ids_are_listed() -> None:
    pack = contract(
        assemble(
            role_agent_id=str(UUID(int=1)),
            version=0,
            memories=(),
            sender=ANNA,
            soul=None,
            built_at=NOW,
            foreign=[BERT],
        )
    )
    assert reasons(pack) == {BERT: "subject"}


def test_of_two_that_were_used_as_often_the_one_that_was_used_last_is_first() -> None:
    older, newer = (
        ActiveMemory(str(uuid4()), "role_agent", "knowledge", "fact", text, text, None, 1, 3600.0 * hours)
        for text, hours in (("older", 1), ("newer", 2))
    )
    never = memory("never", used=1, days_ago=-9)
    assert [m.text for m in choose([never, older, newer], None).memories] == ["newer", "older", "never"]


def test_the_orgs_word_on_a_topic_beats_a_newer_one_of_the_role_agent() -> None:
    org = memory("VPN is Atlas.", scope="org", key="vpn", days_ago=90)
    own = memory("VPN is Hermes.", key="vpn", used=9)
    pack = pack_of(own, org)
    assert [str(entry.id) for entry in pack.memories] == [org.id]
    assert reasons(pack) == {own.id: "conflict"}


def test_a_topic_without_an_org_wide_word_is_no_conflict() -> None:
    other, annas = memory("a", key="vpn"), memory("b", key="tone", subject=ANNA)
    org = memory("c", scope="org", key="tone")
    assert not choose([other, annas, org], ANNA).dropped


@pytest.mark.parametrize(("soul_paused", "agent_paused"), [(True, False), (False, True), (True, True)])
def test_a_paused_soul_is_in_no_pack_and_in_no_block(soul_paused: bool, agent_paused: bool) -> None:
    pack = pack_of(soul=Soul(SOUL, soul_paused, agent_paused))
    assert pack.soul is None
    assert "soul" not in pack.blocks


def test_a_soul_that_is_not_paused_is_shown_and_an_agent_may_have_none() -> None:
    assert pack_of(soul=Soul(SOUL)).soul == SOUL
    assert "Be brief." in pack_of(soul=Soul(SOUL)).blocks["soul"]
    assert shown_soul(None) is None


def test_a_long_list_of_dropped_ones_ends_and_says_that_there_are_more() -> None:
    pack = pack_of(*(memory(days_ago=day) for day in range(20 + MAX_DROPPED_LISTED + 1)))
    assert len(pack.dropped) == MAX_DROPPED_LISTED
    assert pack.more_dropped
    assert not pack_of(*(memory() for _ in range(21))).more_dropped


def test_memories_that_were_never_used_nor_dated_still_have_a_stable_order() -> None:
    bare = [
        ActiveMemory(str(UUID(int=n)), "role_agent", "knowledge", "fact", str(n), f"fact {n}")
        for n in range(3)
    ]
    assert [m.text for m in choose(reversed(bare), None).memories] == ["fact 0", "fact 1", "fact 2"]


def test_skills_get_a_block_of_their_own() -> None:
    pack = contract(
        assemble(
            role_agent_id=str(UUID(int=1)),
            version=0,
            memories=(),
            sender=None,
            soul=None,
            built_at=NOW,
            skills=[PackSkill(name="reset-vpn", version=2, body="1. Restart.")],
        )
    )
    assert pack.blocks["skills"] == "# Skill: reset-vpn\n\n1. Restart."
