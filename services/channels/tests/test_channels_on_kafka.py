"""The channels process on a real broker: it reads comments, says of hostile ones why it could not, and is ready and live."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from dw_channels.app import create_app
from dw_channels.settings import Settings
from dw_contracts.events.comments import AgentComment
from dw_contracts.topics import COMMENTS
from dw_devstack.kafka import KafkaServer
from dw_testkit.hostile import hostile_records, letters_of, pour
from dw_testkit.serving import serving

pytestmark = pytest.mark.integration


def comment(**fields: Any) -> AgentComment:
    given = {
        "schema_version": 1,
        "comment_id": uuid.uuid4(),
        "org_id": uuid.uuid4(),
        "role_agent_id": uuid.uuid4(),
        "channel_id": uuid.uuid4(),
        "author_type": "agent",
        "body": "The Lisbon office closes at 18:00.",
        "source": "agent",
        "reply_channel_id": uuid.uuid4(),
        "at": datetime(2026, 11, 30, tzinfo=UTC),
    }
    return AgentComment.model_validate(given | fields)


def settings(kafka: KafkaServer) -> Settings:
    return Settings.model_validate(
        {"kafka_bootstrap": kafka.bootstrap, "kafka_user": "channels", "kafka_password": "channels", "env": "development"}
    )  # fmt: skip


_COUNT = re.compile(r"""['"]?count['"]?\s*[:=]\s*(\d+)""")
"""Of a line of the log, however this process writes it."""


@pytest.fixture
def spoken(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Callable[[], str]:
    """All that was logged so far. Where an app stood in this process before, its handlers are there and write elsewhere."""
    said: list[str] = []

    def so_far() -> str:
        said.extend(capfd.readouterr())
        return "".join(said) + caplog.text

    return so_far


async def answer(url: str, path: str) -> int:
    async with httpx.AsyncClient(base_url=url, timeout=30.0) as client:
        return (await client.get(path)).status_code


async def eventually(url: str, path: str, status: int, seconds: float = 60.0) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while await answer(url, path) != status:
        assert asyncio.get_running_loop().time() < until, f"{path} is not {status}"
        await asyncio.sleep(0.05)


async def test_hostile_comments_are_dead_with_their_reason_and_the_next_one_is_read(
    kafka_server: KafkaServer, spoken: Callable[[], str]
) -> None:
    good = comment()
    key = str(good.channel_id).encode()
    poured = hostile_records(key, good.to_bytes())
    said = ""
    async with serving(create_app(settings(kafka_server))) as url:
        await eventually(url, "/health/ready", 200)
        assert await answer(url, "/health/live") == 200
        await pour(kafka_server.login("ingest"), COMMENTS.name, key, good.to_bytes(), poured)
        letters = await letters_of(kafka_server.login(), COMMENTS.dead_letters, len(poured))
        until = asyncio.get_running_loop().time() + 60.0
        while str(good.reply_channel_id) not in said:
            assert asyncio.get_running_loop().time() < until, "the good comment was not read"
            await asyncio.sleep(0.05)
            said = spoken()
        assert await answer(url, "/health/ready") == 200, "hostile records stop nobody (C76)"
        assert await answer(url, "/health/live") == 200

    assert "comment.no_platform" in said
    assert good.body not in said
    by_kind = {letter.kind: letter for letter in letters}
    assert len(letters) == len(by_kind) == len(poured)
    for one in poured:
        letter = by_kind[one.kind]
        assert one.reason in letter.reason, one.kind
        assert (letter.key, letter.value, letter.step) == (one.key, one.value, "channels")
        assert letter.failure == ("unknown_version" if one.kind == "unknown version" else "permanent")


@pytest.mark.parametrize("change", [{"author_type": "user"}, {"reply_channel_id": None}])
async def test_only_an_agents_comment_with_a_place_to_go_waits_for_a_platform(
    kafka_server: KafkaServer, spoken: Callable[[], str], change: dict[str, Any]
) -> None:
    """Of two in one channel the second is told, so the first one was read and let go (R265)."""
    channel = uuid.uuid4()
    quiet, told = comment(channel_id=channel, **change), comment(channel_id=channel)
    key = str(channel).encode()
    said = ""
    async with serving(create_app(settings(kafka_server))) as url:
        await eventually(url, "/health/ready", 200)
        await pour(kafka_server.login("ingest"), COMMENTS.name, key, quiet.to_bytes(), [])
        await pour(kafka_server.login("ingest"), COMMENTS.name, key, told.to_bytes(), [])
        until = asyncio.get_running_loop().time() + 60.0
        while str(told.reply_channel_id) not in said:
            assert asyncio.get_running_loop().time() < until, "the comment was not read"
            await asyncio.sleep(0.05)
            said = spoken()
    rows = [row for row in said.splitlines() if "comment.no_platform" in row]
    assert all(str(told.reply_channel_id) in row for row in rows), "the quiet one was let go"
    assert [_COUNT.findall(row) for row in rows] == [["1"]] * len(rows)
