"""learning.draft_requests.v1 as anybody could fill it: each hostile record is dead with its reason, the next one is
answered."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import pytest

from dw_contracts.events.drafts import DraftRequest
from dw_contracts.topics import DRAFT_REQUESTS
from dw_detector.app import create_app
from dw_detector.settings import Settings
from dw_devstack.kafka import KafkaServer
from dw_testkit.hostile import hostile_records, letters_of, pour
from dw_testkit.orgs import SmallOrg
from dw_testkit.serving import serving

pytestmark = pytest.mark.integration
STORED = "SELECT count(*) FROM dw_detections WHERE decision_id = %s"


async def test_hostile_requests_are_dead_with_their_reason_and_the_next_one_is_answered(
    kafka_server: KafkaServer, dsn_of: Callable[[str], str], org: SmallOrg
) -> None:
    good = DraftRequest(
        schema_version=1,
        request_id=uuid.uuid4(),
        org_id=org.org_id,
        role_agent_id=org.agent_id,
        topic="vpn",
        corrections=("Turn the client off first.",),
        source_event_ids=(uuid.uuid4(),),
        at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    key = f"{org.org_id}:{org.agent_id}".encode()
    poured = hostile_records(key, good.to_bytes())
    settings = Settings.model_validate(
        {
            "kafka_bootstrap": kafka_server.bootstrap,
            "kafka_user": "detector",
            "kafka_password": "detector",
            "database_url": dsn_of("detector"),
            "env": "development",
        }
    )
    async with serving(create_app(settings)):
        await pour(kafka_server.login("policy"), DRAFT_REQUESTS.name, key, good.to_bytes(), poured)
        letters = await letters_of(kafka_server.login(), DRAFT_REQUESTS.dead_letters, len(poured))
        until = asyncio.get_running_loop().time() + 60.0
        while not stored(dsn_of("admin"), good.request_id):
            assert asyncio.get_running_loop().time() < until, "the good request was not answered"
            await asyncio.sleep(0.1)

    by_kind = {letter.kind: letter for letter in letters}
    assert len(letters) == len(by_kind) == len(poured)
    for one in poured:
        letter = by_kind[one.kind]
        assert one.reason in letter.reason, one.kind
        assert (letter.key, letter.value, letter.step) == (one.key, one.value, "detector")
        assert letter.failure == ("unknown_version" if one.kind == "unknown version" else "permanent")


def stored(dsn: str, request_id: uuid.UUID) -> bool:
    with psycopg.connect(dsn) as connection:
        row = connection.execute(STORED, (request_id,)).fetchone()
        return row is not None and row[0] == 1
