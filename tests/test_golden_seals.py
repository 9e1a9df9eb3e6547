"""The golden events carry real seals: another implementation of C45 can be held against them."""

from __future__ import annotations

import orjson
import pytest

from dw_contracts.events.chat import ChatEvent
from dw_contracts.golden import SEAL_KEYS, examples
from dw_learning.seal import SealKeys, is_sealed, seal

KEYS = SealKeys.parse(SEAL_KEYS)


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_a_golden_event_is_sealed_by_the_golden_key(name: str) -> None:
    event = examples()[ChatEvent.ce_type][name]
    assert isinstance(event, ChatEvent)

    assert is_sealed(orjson.loads(event.to_bytes()), KEYS)
    assert seal(event, KEYS) == event.to_bytes()


def test_a_golden_event_with_another_word_is_not_sealed() -> None:
    value = orjson.loads(examples()[ChatEvent.ce_type]["minimal"].to_bytes())

    assert not is_sealed({**value, "text": "The VPN portal is evil.example."}, KEYS)
