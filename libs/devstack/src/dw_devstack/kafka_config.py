"""server.properties of the one-node broker. Every line that is not a default is there for a measured reason."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dw_devstack.ports import LOOPBACK

ADMIN: Final = "admin"
NODE: Final = 1
PLAIN_LOGIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"


def server_properties(data: Path, port: int, controller_port: int, passwords: Mapping[str, str]) -> str:
    """The whole file. It holds passwords in the clear, as SASL PLAIN needs: keep it private."""
    users = " ".join(f'user_{user}="{password}"' for user, password in sorted(passwords.items()))
    login = f'{PLAIN_LOGIN} username="{ADMIN}" password="{passwords[ADMIN]}" {users};'
    settings = {
        "process.roles": "broker,controller",
        "node.id": NODE,
        "controller.quorum.voters": f"{NODE}@{LOOPBACK}:{controller_port}",
        "log.dirs": data,
        # who may connect, and by which name
        "listeners": f"SASL_PLAINTEXT://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller_port}",
        "advertised.listeners": f"SASL_PLAINTEXT://{LOOPBACK}:{port}",
        "listener.security.protocol.map": "SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
        "inter.broker.listener.name": "SASL_PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config": login,
        "listener.name.controller.plain.sasl.jaas.config": login,
        # who may do what: nothing, unless an ACL says so
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": f"User:{ADMIN}",
        "allow.everyone.if.no.acl.found": "false",
        "auto.create.topics.enable": "false",
        # one node holds every replica
        "min.insync.replicas": 1,
        "offsets.topic.replication.factor": 1,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
        "offsets.topic.num.partitions": 6,
        "transaction.state.log.num.partitions": 2,
        # a group of one machine has nobody to wait for, and a killed consumer is to be missed soon
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1000,
        # without these two a broker killed with -9 stays fenced for 9 to 13 s after its next start
        "broker.session.timeout.ms": 3000,
        "broker.heartbeat.interval.ms": 500,
        # a laptop, not a server
        "num.network.threads": 2,
        "num.io.threads": 4,
        "log.cleaner.dedupe.buffer.size": 16 * 1024 * 1024,
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())
