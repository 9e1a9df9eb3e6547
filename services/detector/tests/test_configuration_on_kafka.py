"""An endpoint that is asked wrongly, on the wire: learning waits, nobody's message is lost, and it goes on (G14, C77)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from dw_devstack.kafka import KafkaServer
from dw_testkit.orgs import SmallOrg
from services.detector.tests.gate_world import GOOD, items, openai_answer
from services.detector.tests.model_server import ModelServer, Reply
from services.detector.tests.test_detector_on_kafka import (
    Model,
    dead_letters,
    detections,
    detector,
    eventually,
    send,
    texts_of,
)

pytestmark = pytest.mark.integration


def well(body: dict[str, Any]) -> Reply:
    text = body["messages"][1]["content"].split("\n")[1]
    return 200, openai_answer(items(GOOD | {"text": text}))


async def test_what_waited_for_a_setting_is_learned_in_order_once_it_is_right(
    kafka_server: KafkaServer, dsn_of: Callable[[str], str], org: SmallOrg
) -> None:
    wrong = {"error": {"message": "no", "type": "invalid_request_error", "param": "response_format"}}
    with ModelServer(lambda body: (400, wrong)).serving() as server:
        settings = {"DW_DETECTOR_BASE_URL": server.url, "DW_DETECTOR_BREAKER_SECONDS": "0.5"}
        with detector(kafka_server, dsn_of("detector"), Model(), **settings):
            texts = texts_of(3)
            ids = await send(kafka_server, org, texts)
            await eventually(lambda: failed(dsn_of("admin")) >= 6)
            server.says = well
            found = await detections(kafka_server, org, 3)
            assert await dead_letters(kafka_server, org, 1, seconds=3.0) == []
    assert [each["decision_id"] for each in found] == [str(id_) for id_ in ids]
    assert [each["items"][0]["text"] for each in found] == texts


def failed(dsn: str) -> int:
    """Calls that the ledger has as our own fault."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT 1 FROM dw_ai_usage WHERE error_type = 'configuration'").fetchall()
    return len(rows)
