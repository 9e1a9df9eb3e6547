"""An org file is written by people: what is misspelt or leads nowhere is said, all of it, with its place."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from dw_contracts.http.ingest import InboundBatch, InboundEvent
from dw_contracts.http.org_file import OrgFile

GOOD: dict[str, Any] = {
    "org": "acme",
    "users": {"maya": {"role": "owner"}, "sam": {}},
    "agents": {"it": {"managers": ["maya"]}},
    "identities": {
        "maya-slack": {
            "platform": "slack",
            "external_user_id": "U1",
            "user": "maya",
            "status": "verified",
        }
    },
    "channels": {"help": {"platform": "slack", "agents": ["it"], "managers": ["sam"]}},
    "keys": {
        "gateway": {"kind": "gateway", "channels": ["help"]},
        "runtime": {"kind": "runtime", "agents": ["it"]},
    },
}


def _with(path: str, value: object) -> dict[str, Any]:
    """A copy of GOOD with one place changed."""

    def copy(node: Any) -> Any:
        return {key: copy(entry) for key, entry in node.items()} if isinstance(node, dict) else node

    changed: dict[str, Any] = copy(GOOD)
    *steps, last = path.split("/")
    node = changed
    for step in steps:
        node = node[step]
    node[last] = value
    return changed


def _problem(document: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(ValidationError) as refused:
        OrgFile.model_validate(document)
    (error,) = refused.value.errors()
    return ".".join(map(str, error["loc"])), error["msg"].removeprefix("Value error, ")


def test_a_good_file_is_read_and_defaults_are_safe() -> None:
    org = OrgFile.model_validate(GOOD)

    agent = org.agents["it"]
    assert (agent.auto_memory_enabled, agent.auto_memory_require_verified) == (True, True)
    assert org.identities["maya-slack"].service_granted is False
    assert OrgFile.model_validate(org.model_dump(mode="json")) == org


@pytest.mark.parametrize(
    ("path", "value", "where", "problem"),
    [
        ("agents/it/managers", ["mya"], "", "agents.it.managers: no user 'mya'"),
        ("channels/help/agents", ["hr"], "", "channels.help.agents: no agent 'hr'"),
        ("channels/help/managers", ["x"], "", "channels.help.managers: no user 'x'"),
        ("identities/maya-slack/user", "x", "", "identities.maya-slack.user: no user 'x'"),
        (
            "identities/maya-slack/user",
            None,
            "",
            "identities.maya-slack: verified, but whose is it? user is missing",
        ),
        ("keys/gateway/channels", ["x"], "", "keys.gateway.channels: no channel 'x'"),
        ("keys/runtime/agents", ["x"], "", "keys.runtime.agents: no agent 'x'"),
    ],
)
def test_a_name_that_leads_nowhere_is_a_typo(path: str, value: object, where: str, problem: str) -> None:
    assert _problem(_with(path, value)) == (where, problem)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("agents/it/auto_memory", False, "agents.it.auto_memory"),
        ("colour", "blue", "colour"),
        ("agents/it/status", "paused", "agents.it.status"),
        ("channels/help/platform", "pigeon", "channels.help.platform"),
        ("channels/help/learning", "on", "channels.help.learning"),
        ("org", "Acme Inc", "org"),
        ("identities/maya-slack/external_user_id", "", "identities.maya-slack.external_user_id"),
    ],
)
def test_a_field_that_does_not_exist_or_fit_is_named(path: str, value: object, where: str) -> None:
    assert _problem(_with(path, value))[0] == where


EVENT: dict[str, Any] = {
    "channel": "help",
    "message_ref": "m1",
    "sender": {"platform": "slack", "external_user_id": "U1"},
    "text": "hello",
}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"text": "é" * 8_193}, "text is over 16384 bytes of UTF-8"),
        ({"text": "  "}, "text is empty"),
        ({"kind": "correction"}, "correction stands with kind correction, and only there"),
        (
            {"correction": {"wrong": "a", "right": "b"}},
            "correction stands with kind correction, and only there",
        ),
        ({"kind": "tool_run"}, "tool stands with kind tool_run, and only there"),
        ({"kind": "edit"}, "an edit needs its revision (the platform's edit time in ms)"),
    ],
)
def test_parts_of_an_event_fit_its_kind(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as refused:
        InboundEvent.model_validate({**EVENT, **change})

    (error,) = refused.value.errors()
    assert error["msg"] == f"Value error, {problem}"


@pytest.mark.parametrize(
    "change",
    [
        {"text": "é" * 8_192},
        {"kind": "delete", "text": ""},
        {"kind": "edit", "revision": 1},
        {"kind": "tool_run", "text": "", "tool": {"name": "dns"}},
        {"verified": True, "author": "admin", "org_id": "x"},
    ],
)
def test_an_event_that_fits_is_read_and_claims_of_its_sender_are_ignored(change: dict[str, Any]) -> None:
    event = InboundEvent.model_validate({**EVENT, **change})

    assert not hasattr(event, "verified")


def test_a_batch_has_one_to_a_thousand_events() -> None:
    InboundBatch.model_validate({"events": [EVENT] * 1_000})
    for count in (0, 1_001):
        with pytest.raises(ValidationError):
            InboundBatch.model_validate({"events": [EVENT] * count})
