"""Golden examples: every message has them, they read back to the same bytes, and the full ones use every field."""

from __future__ import annotations

import pytest

from dw_contracts.catalogue import messages
from dw_contracts.events.chat import ChatEvent
from dw_contracts.golden import AGENT, CHANNEL, ORG, examples
from dw_contracts.ids import event_id_of
from dw_contracts.model import Message
from dw_contracts.strict_json import loads
from dw_contracts.topics import TOPICS

CASES = [
    pytest.param(messages()[ce_type], message, id=f"{ce_type}-{name}")
    for ce_type, by_name in examples().items()
    for name, message in by_name.items()
]


def test_every_topic_has_a_minimal_and_a_full_example() -> None:
    assert {topic.model.ce_type: {"minimal", "full"} for topic in TOPICS} == {
        ce_type: set(by_name) for ce_type, by_name in examples().items()
    }


@pytest.mark.parametrize(("model", "message"), CASES)
def test_an_example_reads_back_to_the_same_value_and_the_same_bytes(
    model: type[Message], message: Message
) -> None:
    value = message.to_bytes()

    again = model.from_bytes(value)

    assert again == message
    assert again.to_bytes() == value


@pytest.mark.parametrize(("model", "message"), CASES)
def test_an_example_has_no_field_that_its_model_does_not_know(model: type[Message], message: Message) -> None:
    assert model.model_validate_json(message.to_bytes(), extra="forbid") == message


@pytest.mark.parametrize(("model", "message"), CASES)
def test_an_example_passes_the_strict_reader(model: type[Message], message: Message) -> None:
    assert model.model_validate(loads(message.to_bytes())) == message


@pytest.mark.parametrize("ce_type", list(messages()))
def test_the_full_example_uses_every_field(ce_type: str) -> None:
    by_name = examples()[ce_type]
    used = set().union(*(loads(message.to_bytes()) for message in by_name.values()))

    assert used == set(messages()[ce_type].model_fields)


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_the_id_of_an_example_event_follows_from_what_it_is(name: str) -> None:
    event = examples()[ChatEvent.ce_type][name]
    assert isinstance(event, ChatEvent)

    assert event.event_id == event_id_of(ORG, AGENT, CHANNEL, event.kind, event.message_ref, event.revision)


def test_a_redaction_points_at_its_replacement() -> None:
    event = examples()[ChatEvent.ce_type]["full"]
    assert isinstance(event, ChatEvent)

    ((start, end),) = (redaction.span for redaction in event.redactions)

    assert event.text[start:end] == "[password]"


def test_a_field_that_a_later_writer_added_is_ignored_by_this_reader() -> None:
    message = examples()[ChatEvent.ce_type]["minimal"]
    value = loads(message.to_bytes()) | {"added_later": 1}

    assert ChatEvent.model_validate(value) == message
