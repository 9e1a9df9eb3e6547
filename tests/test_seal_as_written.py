"""The quick look at a seal says yes to what ingest wrote, and to nothing that the full look refuses."""

from __future__ import annotations

import uuid
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_contracts.events.chat import Correction, EventKind, ReplyTo
from dw_learning.seal import is_sealed, is_sealed_as_written
from dw_testkit.events import KEYS, chat_event, sealed_bytes

IDS = uuid.UUID(int=1), uuid.UUID(int=2), uuid.UUID(int=3)
SEAL = b',"seal":{"key_id":"test","mac":"' + b"0" * 64 + b'"}'


@given(st.text(max_size=80), st.sampled_from(list(EventKind)))
def test_what_ingest_writes_is_known_at_once(text: str, kind: EventKind) -> None:
    text = text.encode("utf-8", "ignore").decode()
    fields: dict[str, Any] = {"correction": Correction(wrong=text, right="x")} if kind == "correction" else {}
    event = chat_event(
        *IDS, text, kind=kind, message_ref="m", reply_to=ReplyTo(message_ref="m0", text=text), **fields
    )
    assert is_sealed_as_written(sealed_bytes(event), KEYS)


@given(st.data())
def test_a_changed_byte_or_a_moved_seal_is_never_taken_for_more_than_it_is(data: st.DataObject) -> None:
    value = sealed_bytes(chat_event(*IDS, 'say ,"seal":{ and \\ twice', message_ref="m"))
    seal = value[value.index(b',"seal":{"key_id"') : value.index(b'"}', value.index(b'"mac":')) + 2]
    rest = value.replace(seal, b"")
    at = data.draw(st.integers(0, len(rest)))
    changed = data.draw(
        st.sampled_from(
            [
                rest[:at] + seal + rest[at:],  # the true seal, elsewhere
                value[:at] + b"x" + value[at + 1 :],
                value[:at] + SEAL + value[at:],
            ]
        )
    )
    try:
        parsed = orjson.loads(changed)
    except orjson.JSONDecodeError:
        return
    if is_sealed_as_written(changed, KEYS) and parsed.get("seal") is not None:
        assert is_sealed(parsed, KEYS)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"{}",
        b'{"a":1}',
        b'{"a":1' + SEAL + b"}",
        sealed_bytes(chat_event(*IDS, "x", message_ref="m")).replace(b'"text":"x"', b'"text":"y"'),
        sealed_bytes(chat_event(*IDS, "x", message_ref="m")).replace(b'"key_id":"test"', b'"key_id":"none"'),
    ],
)
def test_what_nobody_sealed_is_not_known(value: bytes) -> None:
    assert not is_sealed_as_written(value, KEYS)
