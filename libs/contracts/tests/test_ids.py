"""Ids that follow from content must be the same for ever: a change here would make every repeated message new."""

from __future__ import annotations

from uuid import UUID

import pytest

from dw_contracts.dead_letters import dead_letter_topic
from dw_contracts.http.problem import TITLES, FieldError, ProblemCode, problem
from dw_contracts.ids import NAMESPACE, ChannelId, OrgId, RoleAgentId, event_id_of, partition_key
from dw_contracts.topics import BY_NAME, CHAT_EVENTS, SERVICES, TOPICS

ORG = OrgId(UUID(int=1))
AGENT = RoleAgentId(UUID(int=2))
CHANNEL = ChannelId(UUID(int=3))


def test_the_namespace_never_changes() -> None:
    assert UUID("6f1d3c1e-5a55-5e0e-9a6e-0d6f2c8f7a11") == NAMESPACE


@pytest.mark.parametrize(
    ("kind", "message_ref", "revision", "expected"),
    [
        ("message_in", "1772442900.000100", 0, "a3e2e374-dd5a-5277-b4af-0533d76e1df1"),
        ("edit", "1772442900.000100", 1_772_442_960_000, "f9c11a42-0c48-5497-ab55-a66f36ba5ee7"),
        ("correction", "42", 0, "82cbbb1f-3eb6-5f73-af20-23993ba7a12d"),
        ("message_in", "повідомлення-ü", 0, "5bd10e62-69c0-5d8d-aeaa-87450ddb6bb8"),
    ],
)
def test_an_event_id_is_pinned(kind: str, message_ref: str, revision: int, expected: str) -> None:
    assert event_id_of(ORG, AGENT, CHANNEL, kind, message_ref, revision) == UUID(expected)


def test_each_part_of_an_event_makes_another_id() -> None:
    other = UUID(int=9)
    ids = {
        event_id_of(ORG, AGENT, CHANNEL, "message_in", "m", 0),
        event_id_of(OrgId(other), AGENT, CHANNEL, "message_in", "m", 0),
        event_id_of(ORG, RoleAgentId(other), CHANNEL, "message_in", "m", 0),
        event_id_of(ORG, AGENT, ChannelId(other), "message_in", "m", 0),
        event_id_of(ORG, AGENT, CHANNEL, "edit", "m", 0),
        event_id_of(ORG, AGENT, CHANNEL, "message_in", "n", 0),
        event_id_of(ORG, AGENT, CHANNEL, "message_in", "m", 1),
    }

    assert len(ids) == 7


def test_parts_of_an_event_cannot_be_moved_into_each_other() -> None:
    assert event_id_of(ORG, AGENT, CHANNEL, "message_in", "m1", 0) != event_id_of(
        ORG, AGENT, CHANNEL, "message_in", "m", 10
    )


def test_all_that_concerns_one_role_agent_has_one_key() -> None:
    assert partition_key(ORG, AGENT) == (
        b"00000000-0000-0000-0000-000000000001:00000000-0000-0000-0000-000000000002"
    )


def test_each_topic_has_one_name_one_model_and_writers_and_readers_that_exist() -> None:
    assert len({topic.name for topic in TOPICS}) == len({topic.model for topic in TOPICS}) == len(TOPICS)
    assert BY_NAME["chat.events.v1"] is CHAT_EVENTS
    for topic in TOPICS:
        assert topic.dead_letters == dead_letter_topic(topic.name) == topic.name + ".dlq"
        assert {*topic.writers, *topic.readers, *topic.groupless} <= set(SERVICES)
        assert topic.partitions == 12


def test_only_ingest_writes_chat_events() -> None:
    assert CHAT_EVENTS.writers == ("ingest",)


def test_a_problem_has_the_title_of_its_code_and_says_where() -> None:
    wrong = FieldError(at="events.0.text", problem="text is empty")

    found = problem(ProblemCode.INVALID_BODY, 422, "one field is wrong", (wrong,))

    assert found.type == "urn:dw:problem:invalid-body"
    assert found.title == TITLES[ProblemCode.INVALID_BODY]
    assert (found.status, found.detail, found.errors) == (422, "one field is wrong", (wrong,))
    assert set(TITLES) == set(ProblemCode)
