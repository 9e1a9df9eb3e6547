"""POST /v1/events: what is accepted, what is refused and how, with the directory and Kafka stood in for."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import httpx
import orjson
import pytest
from fastapi import FastAPI

from dw_contracts.events.chat import Learning, Platform
from dw_contracts.http.ingest import MAX_BATCH_BYTES, MAX_BATCH_EVENTS
from dw_contracts.settings import IngestSettings
from dw_ingest.accept import Ingest
from dw_ingest.adapters.directory import Binding, GatewayKey
from dw_ingest.limits import RateLimits
from dw_ingest.routes import build_router
from dw_learning.seal import SealKeys, is_sealed
from dw_runtime import Chassis, Outgoing, Publisher

ORG, AGENT, OTHER_AGENT, CHANNEL = (uuid.UUID(int=n) for n in range(1, 5))
KEYS = SealKeys.parse("k1:" + "11" * 32)
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


class OneKey:
    """A directory with one gateway key and one channel in which two role-agents listen."""

    async def gateway_key(self, secret: str) -> GatewayKey | None:
        return GatewayKey(uuid.UUID(int=9), ORG, (CHANNEL,), True) if secret == "good" else None

    async def bindings(self, key: GatewayKey) -> dict[str, Binding]:
        binding = Binding(CHANNEL, Platform.SLACK, Learning.AUTO, True, (AGENT, OTHER_AGENT))
        return {str(CHANNEL): binding, "C1": binding}

    async def outcomes(self, key: GatewayKey, event_id: UUID) -> list[str]:
        return ["saved"] if event_id == CHANNEL else []

    async def waiting(self, key: GatewayKey, event_id: UUID) -> dict[str, Any] | None:
        limit = {"reason": "daily_budget", "scope": "org", "since": NOW, "resets_at": None, "expires_at": NOW}
        return limit if event_id in (OTHER_AGENT, CHANNEL) else None


class Kept:
    """Keeps what would go to Kafka."""

    def __init__(self) -> None:
        self.records: list[Outgoing] = []

    async def publish(self, outgoing: Sequence[Outgoing]) -> None:
        self.records += outgoing


class Gateway:
    """A client of an ingest that runs in this process."""

    def __init__(self, per_key: int = 100_000) -> None:
        self.kafka = Kept()
        ingest = Ingest(
            OneKey(),
            cast(Publisher, self.kafka),
            KEYS,
            RateLimits(per_key, per_key, lambda: 0.0),
            5.0,
            lambda: NOW,
        )
        app = FastAPI()
        app.include_router(build_router(ingest))
        Chassis(IngestSettings()).install(app)
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://ingest")

    async def post(self, body: Any, key: str = "good", **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        sent = {"authorization": f"Bearer {key}", "content-type": "application/json", **headers}
        return await self._client.post("/v1/events", content=content, headers=sent)

    async def post_raw(self, body: Any, header: tuple[bytes, bytes]) -> httpx.Response:
        ours = [(b"authorization", b"Bearer good"), (b"content-type", b"application/json"), header]
        return await self._client.post("/v1/events", content=orjson.dumps(body), headers=ours)

    async def get(self, event_id: UUID) -> httpx.Response:
        return await self._client.get(f"/v1/events/{event_id}", headers={"authorization": "Bearer good"})

    def events(self) -> list[dict[str, Any]]:
        return [orjson.loads(record.value) for record in self.kafka.records]


def message(**fields: Any) -> dict[str, Any]:
    sender = {"platform": "slack", "external_user_id": "U1"}
    return {
        "channel": "C1",
        "message_ref": "m1",
        "sender": sender,
        "text": "The Lisbon office closes at 18:00.",
    } | fields


async def test_one_event_becomes_one_sealed_record_for_each_agent_that_listens() -> None:
    gateway = Gateway()
    answer = await gateway.post(message())
    assert answer.status_code == 202
    assert [e["role_agent_id"] for e in answer.json()["events"]] == [str(AGENT), str(OTHER_AGENT)]
    assert [record.key for record in gateway.kafka.records] == [
        f"{ORG}:{AGENT}".encode(),
        f"{ORG}:{OTHER_AGENT}".encode(),
    ]
    assert all(is_sealed(event, KEYS) for event in gateway.events())


async def test_a_repeat_has_the_same_ids() -> None:
    gateway = Gateway()
    first, second = await gateway.post(message()), await gateway.post(message())
    assert first.json()["events"] == second.json()["events"]


async def test_nothing_in_a_request_makes_a_sender_verified_or_changes_org() -> None:
    gateway = Gateway()
    await gateway.post(message(verified=True, org_id=str(ORG), learning="auto", bot_granted=True))
    event = gateway.events()[0]
    assert event["org_id"] == str(ORG)
    assert "verified" not in event
    assert "bot_granted" not in event


async def test_a_secret_is_taken_out_of_every_text_before_kafka() -> None:
    secret = "Heron-Barrel-47!"
    told = f"the wifi password is {secret}"
    rows = [
        message(text=told),
        message(reply_to={"message_ref": "m0", "text": told}),
        message(kind="correction", text="", correction={"wrong": told, "right": told}),
        message(kind="tool_run", text="", tool={"name": "shell", "input": told, "output": told}),
        message(sender={"platform": "slack", "external_user_id": "U1", "display_name": told}),
    ]
    gateway = Gateway()
    answer = await gateway.post({"events": rows})
    assert answer.status_code == 202
    assert not any(secret.encode() in record.value for record in gateway.kafka.records)
    for event in gateway.events():
        (redaction, *_) = event["redactions"]
        assert redaction["type"] == "password"


HOSTILE: dict[str, tuple[bytes, int, str]] = {
    "not JSON": (b"hello", 400, "not JSON"),
    "not UTF-8": (b'{"text":"\xff"}', 400, "UTF-8"),
    "lone surrogate": (b'{"text":"\\ud800"}', 400, "surrogate"),
    "NUL": (b'{"text":"a\\u0000"}', 400, "NUL"),
    "NaN": (b'{"revision":NaN}', 400, "NaN"),
    "100k deep": (b"[" * 100_000, 400, "nested"),
    "duplicate keys": (b'{"text":"a","text":"b"}', 400, "duplicate key"),
    "no object": (b"[]", 400, "top level"),
    "missing fields": (b"{}", 422, "does not fit"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_bad_input_is_a_problem_detail_that_says_what_is_wrong(name: str) -> None:
    body, status, says = HOSTILE[name]
    gateway = Gateway()
    answer = await gateway.post(body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert says in answer.json()["detail"]
    assert gateway.kafka.records == []


async def test_a_field_that_does_not_fit_is_named_without_its_value() -> None:
    answer = await Gateway().post(message(revision="Heron-Barrel-47!"))
    assert [error["at"] for error in answer.json()["errors"]] == ["revision"]
    assert "Heron" not in answer.text


async def test_limits_at_their_edges() -> None:
    gateway = Gateway()
    rows = [message(message_ref=f"m{n}") for n in range(MAX_BATCH_EVENTS)]
    assert (await gateway.post({"events": rows})).status_code == 202
    assert (await gateway.post({"events": [*rows, message()]})).status_code == 422
    assert (await gateway.post(b" " * (MAX_BATCH_BYTES + 1))).status_code == 413
    needed = "a list of 1 to 1000 events is needed"
    for wrong, words in (
        ([], f"{needed}, and here are 0"),
        ("text", needed),
        ({"a": 1}, needed),
        (None, needed),
    ):
        refused = (await gateway.post({"events": wrong})).json()
        assert refused["errors"] == [{"at": "events", "problem": words}]
    assert (await gateway.post(message(text="é" * 8_192))).status_code == 202
    assert (await gateway.post(message(text="é" * 8_192 + "x"))).status_code == 422


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"content-encoding": "gzip"}, 415),
        ({"authorization": "Bearer bad"}, 401),
        ({"authorization": ""}, 401),
    ],
)
async def test_wrong_headers_are_refused(headers: dict[str, str], status: int) -> None:
    assert (await Gateway().post(message(), **headers)).status_code == status


@pytest.mark.parametrize(
    ("fields", "status", "at"),
    [
        ({"schema_version": 99}, 422, "schema_version"),
        ({"schema_version": None}, 422, "schema_version"),
        ({"org_id": str(OTHER_AGENT)}, 403, "org_id"),
        ({"org": "globex"}, 403, "org"),
        ({"role_agent_id": str(CHANNEL)}, 403, "role_agent_id"),
        ({"agent": ["it"]}, 403, "agent"),
        ({"schema_version": 1, "org_id": str(ORG), "role_agent_id": str(AGENT)}, 202, ""),
    ],
)
async def test_what_the_key_and_the_channel_decide_cannot_be_named_otherwise(
    fields: dict[str, Any], status: int, at: str
) -> None:
    gateway = Gateway()
    alone = await gateway.post(message(**fields))
    among = await gateway.post({"events": [message(), message(**fields)]})
    assert alone.status_code == status
    assert among.json()["accepted"] == (2 if status == 202 else 1)
    assert len(gateway.kafka.records) == (6 if status == 202 else 2)
    assert [error["at"] for error in alone.json().get("errors", [])] == ([at] if at else [])


async def test_a_batch_of_an_unknown_version_is_refused_whole() -> None:
    gateway = Gateway()
    answer = await gateway.post({"schema_version": 2, "events": [message()]})
    assert (answer.status_code, gateway.kafka.records) == (422, [])


@pytest.mark.parametrize(
    "header", [(b"x-bad", b"\xff"), (b"traceparent", b"\xff\xfe"), (b"reply_to", b"t"), (b"reply-to", b"t")]
)
async def test_a_header_that_cannot_be_meant_well_is_named(header: tuple[bytes, bytes]) -> None:
    gateway = Gateway()
    answer = await gateway.post_raw(message(), header)
    assert (answer.status_code, gateway.kafka.records) == (400, [])
    assert header[0].decode() in answer.json()["detail"]


async def test_a_key_speaks_for_its_channels_and_their_platform_alone() -> None:
    foreign = {"platform": "discord", "external_user_id": "U1"}
    assert (await Gateway().post(message(channel="C2"))).status_code == 403
    assert (await Gateway().post(message(sender=foreign))).status_code == 403


async def test_mixed_results_come_by_index() -> None:
    answer = await Gateway().post(
        {"events": [message(), message(channel="C2"), "text", message(message_ref="m2")]}
    )
    assert answer.status_code == 207
    body = answer.json()
    assert [row["status"] for row in body["results"]] == [202, 403, 422, 202]
    assert (body["accepted"], body["refused"]) == (2, 2)


async def test_over_the_rate_is_429_with_the_time_to_wait() -> None:
    gateway = Gateway(per_key=2)
    assert (
        await gateway.post({"events": [message(message_ref=f"m{n}") for n in range(4)]})
    ).status_code == 202
    answer = await gateway.post(message())
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1


async def test_a_gateway_learns_what_became_of_its_event() -> None:
    gateway = Gateway()
    assert (await gateway.get(CHANNEL)).json()["outcomes"] == ["saved"]
    on_its_way = {"event_id": str(AGENT), "status": "accepted", "outcomes": []}
    assert (await gateway.get(AGENT)).json() == on_its_way
    told = (await gateway.get(OTHER_AGENT)).json()
    at = NOW.isoformat().replace("+00:00", "Z")
    assert (told["status"], told["outcomes"]) == ("accepted", [])
    assert told["waiting"] == {"reason": "daily_budget", "since": at, "resets_at": None, "expires_at": at}


@pytest.mark.parametrize(
    "fields",
    [
        {"message_ref": "TOKEN"},
        {"thread_ref": "TOKEN"},
        {"sender": {"platform": "slack", "external_user_id": "TOKEN"}},
        {"sender": {"platform": "slack", "external_user_id": "U1", "workspace_ref": "TOKEN"}},
        {"reply_to": {"message_ref": "TOKEN"}},
    ],
)
async def test_an_id_that_is_a_credential_is_refused_and_goes_nowhere(fields: dict[str, Any]) -> None:
    token = "AKIA" + "Q7ZP2M4XK9TB3WNV"
    gateway = Gateway()
    answer = await gateway.post(
        orjson.loads(orjson.dumps(message(**fields)).replace(b"TOKEN", token.encode()))
    )
    assert answer.status_code == 422
    assert token not in answer.text
    assert gateway.kafka.records == []


@pytest.mark.parametrize(
    "ref",
    ["1772442950.000170", "1169876543210987654", "<20261130.12.abc@acme.example>",
     "wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI3N0VBQkYzQUQzNkE4RkQ4NAA="],
)  # fmt: skip
async def test_ids_as_platforms_make_them_are_let_through(ref: str) -> None:
    assert (await Gateway().post(message(message_ref=ref))).status_code == 202


@pytest.mark.parametrize(
    "at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2101-01-01T00:00:00Z"]
)
async def test_a_time_that_no_message_has_is_refused(at: str) -> None:
    assert (await Gateway().post(message(occurred_at=at))).status_code == 422
    assert (await Gateway().post(message(occurred_at="2099-12-31T00:00:00Z"))).status_code == 202


@pytest.mark.parametrize(
    ("platform", "ours", "theirs", "status"),
    [
        ("slack", "T1", "T1", 202),
        ("slack", "T1", "T2", 403),
        ("discord", "G1", "G2", 403),
        ("slack", "", "T2", 202),
        ("slack", "T1", "", 202),
        ("email", "a@acme.example", "b@acme.example", 202),
    ],
)
async def test_a_key_speaks_for_its_channels_workspace_alone(
    monkeypatch: pytest.MonkeyPatch, platform: str, ours: str, theirs: str, status: int
) -> None:
    """C46: a gateway of one workspace does not name people of another one."""
    binding = Binding(CHANNEL, Platform(platform), Learning.AUTO, True, (AGENT,), workspace_ref=ours)

    async def bindings(*_: Any) -> dict[str, Binding]:
        return {"C1": binding}

    monkeypatch.setattr(OneKey, "bindings", bindings)
    gateway = Gateway()
    sender = {"platform": platform, "external_user_id": "U1", "workspace_ref": theirs}
    answer = await gateway.post(message(sender=sender))
    assert answer.status_code == status
    assert bool(gateway.kafka.records) == (status == 202)
