"""Records that nobody of ours writes: each must become a dead letter with its reason, and stop nothing."""

from __future__ import annotations

import orjson

from dw_contracts.events.chat import ChatEvent
from dw_testkit.events import sealed_bytes

Headers = list[tuple[str, bytes]]
MARK: Headers = [("test", b"hostile")]
BIG = 1_000_000


def hostile_records(event: ChatEvent) -> dict[str, tuple[bytes, bytes | None, Headers]]:
    """By name: key, value and headers. `event` is a good one of a real org and agent."""
    key = f"{event.org_id}:{event.role_agent_id}".encode()
    good = sealed_bytes(event)
    fields = orjson.loads(good)
    other = {**fields, "org_id": "00000000-0000-4000-8000-000000000000"}
    return {
        "not JSON": (key, b"hello", MARK),
        "not UTF-8": (key, b'{"text":"\xff\xfe"}', MARK),
        "lone surrogate": (key, b'{"text":"\\ud800"}', MARK),
        "NUL": (key, b'{"schema_version":1,"text":"a\\u0000b"}', MARK),
        "NaN": (key, b'{"schema_version":1,"revision":NaN}', MARK),
        "deep": (key, b"[" * 100_000, MARK),
        "large": (key, b'{"text":"' + b"x" * BIG + b'"}', MARK),
        "unknown version": (key, orjson.dumps({**fields, "schema_version": 99}), MARK),
        "foreign org": (key, orjson.dumps(other), MARK),
        "foreign key": (b"nobody:nobody", good, MARK),
        "duplicate keys": (key, good[:-1] + b',"text":"again"}', MARK),
        "no value": (key, None, MARK),
        "missing fields": (key, b'{"schema_version":1}', MARK),
        "header not UTF-8": (key, b"hello", [*MARK, ("x", b"\xff\xfe")]),
        "reply_to header": (key, b"hello", [*MARK, ("reply_to", b"learning.changes.v1")]),
    }
