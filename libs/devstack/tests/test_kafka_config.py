"""The broker's configuration: closed by default, on loopback alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_config import server_properties

PASSWORDS = {"admin": "a-secret", "ingest": "another"}


def settings() -> dict[str, str]:
    text = server_properties(Path("/data"), 9092, 9093, PASSWORDS)
    return dict(line.split("=", 1) for line in text.splitlines())


def test_every_address_is_loopback() -> None:
    addresses = re.findall(r"://([^:,]*):", "".join(settings().values()))
    assert addresses
    assert set(addresses) == {"127.0.0.1"}


def test_nothing_is_allowed_unless_an_acl_says_so() -> None:
    shown = settings()
    assert shown["authorizer.class.name"].endswith("StandardAuthorizer")
    assert shown["allow.everyone.if.no.acl.found"] == "false"
    assert shown["super.users"] == "User:admin"
    assert shown["auto.create.topics.enable"] == "false"


def test_every_listener_asks_for_a_password() -> None:
    shown = settings()
    names = {address.partition(":")[0] for address in shown["listeners"].split(",")}
    kinds = dict(pair.split(":") for pair in shown["listener.security.protocol.map"].split(","))
    assert {kinds[name] for name in names} == {"SASL_PLAINTEXT"}
    for name in names:
        login = shown[f"listener.name.{name.lower()}.plain.sasl.jaas.config"]
        assert 'user_admin="a-secret" user_ingest="another"' in login


def test_a_broker_without_an_admin_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="password for the user 'admin'"):
        KafkaServer(tmp_path, tmp_path / "log", port=1, controller_port=2, passwords={"ingest": "x"})
