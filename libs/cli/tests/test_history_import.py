"""Old chats of a file as inbound events."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from dw_cli.publish import rows_of
from dw_contracts.http.ingest import InboundEvent


def test_a_row_keeps_its_thread_its_time_and_what_it_answers(tmp_path: Path) -> None:
    lines = [
        {"id": "m1", "speaker": "U1", "text": "the beamer stays green", "at": "2024-05-01T09:00:00Z"},
        {"id": "m2", "speaker": "U2", "text": "swap the cable", "thread": "m1", "replies_to": ["m1"]},
        {"id": "m3", "speaker": "U2", "text": " "},
    ]
    file = tmp_path / "old.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    first, second = (
        InboundEvent.model_validate(row | {"imported": True}) for row in rows_of(file, "c", "slack", "T")
    )
    assert first.occurred_at == datetime(2024, 5, 1, 9, tzinfo=UTC)
    assert (second.thread_ref, second.imported) == ("m1", True)
    assert second.reply_to is not None
    assert second.reply_to.message_ref == "m1"
