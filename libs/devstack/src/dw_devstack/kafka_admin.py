"""Topics and rights on a running broker: create what is declared, change what differs, remove rights that are not.

Both calls are idempotent. `apply_acls` leaves exactly the declared rights behind: with the broker's default of
"deny", a topic that is no longer declared for a user is closed to it at the next start.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from confluent_kafka import KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # its __init__ names no exports
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

from dw_devstack.errors import StackError
from dw_devstack.kafka_login import KafkaLogin

TIMEOUT: Final = 30.0
CLUSTER: Final = "kafka-cluster"


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """One topic and who may use it. A reader is (user, group); group None means that it reads without one, or in
    groups whose names begin with its user name, which every user may use anyway."""

    name: str
    partitions: int
    retention_ms: int
    writers: tuple[str, ...] = ()
    readers: tuple[tuple[str, str | None], ...] = ()
    max_message_bytes: int | None = None

    @property
    def config(self) -> dict[str, str]:
        config = {"retention.ms": str(self.retention_ms)}
        if self.max_message_bytes is not None:
            config["max.message.bytes"] = str(self.max_message_bytes)
        return config


@dataclass(frozen=True, slots=True)
class TopicChanges:
    """What `create_topics` did, by topic name."""

    created: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AclChanges:
    granted: int
    revoked: int


def admin_client(login: KafkaLogin) -> AdminClient:
    return AdminClient(
        {
            "bootstrap.servers": login.bootstrap,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": login.user,
            "sasl.password": login.password,
            "log_level": 0,  # a broker that is not up yet is no news here
            "reconnect.backoff.max.ms": 200,
        }
    )


def answers(client: AdminClient, timeout: float = 1.0) -> bool:
    """Whether the broker takes part in its cluster: an open port alone may belong to one that is still fenced."""
    try:
        return len(client.list_topics(timeout=timeout).brokers) > 0
    except KafkaException:
        return False


def create_topics(login: KafkaLogin, topics: Sequence[TopicSpec]) -> TopicChanges:
    """Make each topic exist as declared. Partitions are only ever added (their records cannot move);
    fewer than there are is a StackError, before anything is changed."""
    client = admin_client(login)
    existing = {
        name: len(topic.partitions) for name, topic in client.list_topics(timeout=TIMEOUT).topics.items()
    }
    for topic in topics:
        if existing.get(topic.name, 0) > topic.partitions:
            raise StackError(
                f"topic {topic.name} has {existing[topic.name]} partitions, more than the declared {topic.partitions}"
            )
    new = [topic for topic in topics if topic.name not in existing]
    wider = [topic for topic in topics if existing.get(topic.name, topic.partitions) < topic.partitions]
    if new:
        made = [NewTopic(t.name, t.partitions, replication_factor=1, config=t.config) for t in new]
        _settle(client.create_topics(made, operation_timeout=TIMEOUT).values())
    if wider:
        _settle(client.create_partitions([NewPartitions(t.name, t.partitions) for t in wider]).values())
    changed = _alter_configs(client, [topic for topic in topics if topic.name in existing])
    return TopicChanges(
        created=tuple(topic.name for topic in new),
        changed=tuple(sorted({*changed, *(topic.name for topic in wider)})),
    )


def apply_acls(login: KafkaLogin, topics: Sequence[TopicSpec], users: Iterable[str]) -> AclChanges:
    """Grant exactly the declared rights, and wait until the broker goes by them: it hears of them a moment after they
    are granted, and refuses until then. Every user also gets its own consumer groups (named like it, or beginning with
    its name) and an idempotent producer, which Kafka asks for even before the first write."""
    client = admin_client(login)
    wanted = set().union(*(_user_rights(user) for user in users), *(_topic_rights(topic) for topic in topics))
    held = _held(client)
    if missing := sorted(wanted - held, key=repr):
        _settle(client.create_acls(missing, request_timeout=TIMEOUT).values())
    if surplus := sorted(held - wanted, key=repr):
        _settle(client.delete_acls([_exactly(right) for right in surplus], request_timeout=TIMEOUT).values())
    until = time.monotonic() + TIMEOUT
    while (missing or surplus) and _held(client) != wanted:
        if time.monotonic() > until:
            raise StackError(f"the broker does not go by the declared rights after {TIMEOUT:.0f} s")
        time.sleep(0.05)
    return AclChanges(granted=len(missing), revoked=len(surplus))


def _held(client: AdminClient) -> set[AclBinding]:
    return set(client.describe_acls(_every_right(), request_timeout=TIMEOUT).result())


def _alter_configs(client: AdminClient, topics: Sequence[TopicSpec]) -> list[str]:
    if not topics:
        return []
    resources = [ConfigResource(ResourceType.TOPIC, topic.name) for topic in topics]
    held = {resource.name: future.result() for resource, future in client.describe_configs(resources).items()}
    changes = []
    for topic in topics:
        differing = {
            key: value for key, value in topic.config.items() if held[topic.name][key].value != value
        }
        if differing:
            entries = [
                ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET)
                for key, value in differing.items()
            ]
            changes.append(ConfigResource(ResourceType.TOPIC, topic.name, incremental_configs=entries))
    if changes:
        _settle(client.incremental_alter_configs(changes).values())
    return [change.name for change in changes]


def _topic_rights(topic: TopicSpec) -> set[AclBinding]:
    rights = {
        _allow(user, ResourceType.TOPIC, topic.name, operation)
        for user in topic.writers
        for operation in (AclOperation.WRITE, AclOperation.DESCRIBE)
    }
    for user, group in topic.readers:
        rights |= {
            _allow(user, ResourceType.TOPIC, topic.name, operation)
            for operation in (AclOperation.READ, AclOperation.DESCRIBE)
        }
        if group is not None:
            rights.add(_allow(user, ResourceType.GROUP, group, AclOperation.READ))
    return rights


def _user_rights(user: str) -> set[AclBinding]:
    own_groups = {
        _allow(user, ResourceType.GROUP, user, operation, ResourcePatternType.PREFIXED)
        for operation in (AclOperation.READ, AclOperation.DESCRIBE)
    }
    return {*own_groups, _allow(user, ResourceType.BROKER, CLUSTER, AclOperation.IDEMPOTENT_WRITE)}


def _allow(
    user: str,
    kind: ResourceType,
    name: str,
    operation: AclOperation,
    pattern: ResourcePatternType = ResourcePatternType.LITERAL,
) -> AclBinding:
    return AclBinding(kind, name, pattern, f"User:{user}", "*", operation, AclPermissionType.ALLOW)


def _every_right() -> AclBindingFilter:
    anyone: str = None  # type: ignore[assignment]  # None is "any" here, but is not declared
    return AclBindingFilter(
        ResourceType.ANY,
        anyone,
        ResourcePatternType.ANY,
        anyone,
        anyone,
        AclOperation.ANY,
        AclPermissionType.ANY,
    )


def _exactly(right: AclBinding) -> AclBindingFilter:
    return AclBindingFilter(
        right.restype,
        right.name,
        right.resource_pattern_type,
        right.principal,
        right.host,
        right.operation,
        right.permission_type,
    )


def _settle(futures: Iterable[object]) -> None:
    """Wait for every answer; the first refusal is raised."""
    for future in futures:
        future.result()  # type: ignore[attr-defined]  # confluent_kafka leaves its futures untyped
