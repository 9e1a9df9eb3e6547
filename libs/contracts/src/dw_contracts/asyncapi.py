"""The AsyncAPI 3.0 document: which service sends and receives what, from topics, models and settings."""

from __future__ import annotations

from typing import Any, Final

from pydantic.json_schema import models_json_schema

from dw_contracts.catalogue import messages
from dw_contracts.dead_letters import FailureKind, Header
from dw_contracts.golden import examples
from dw_contracts.settings import ALL, ServiceSettings
from dw_contracts.topics import (
    DEAD_LETTER_PARTITIONS,
    DEAD_LETTER_RETENTION_MS,
    MAX_DEAD_LETTER_BYTES,
    OPERATOR,
    TOPICS,
    Topic,
)

Node = dict[str, Any]

BINDING: Final = "0.5.0"
DEAD_LETTER: Final = "DeadLetter"
DESCRIPTION: Final = """\
Chat events become memory: ingest seals them, triage lets most of them go, the detector says what the rest teaches,
policy decides. One service writes each topic. Values are JSON; ce_id, ce_type and traceparent ride as headers. A
published field is never renamed, retyped or removed. What cannot be read goes, with its bytes unchanged, to the
topic of the same name with .dlq."""


def document() -> Node:
    """The whole document."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Digital Worker events",
            "version": "1.0.0",
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {"kafka": _server()},
        "channels": {name: node for topic in TOPICS for name, node in _channels(topic)},
        "operations": {name: node for topic in TOPICS for name, node in _operations(topic)},
        "components": _components(),
    }


def _server() -> Node:
    fields = ServiceSettings.model_fields
    return {
        "host": fields["kafka_bootstrap"].default,
        "protocol": "kafka",
        "description": "DW_KAFKA_BOOTSTRAP; each service signs in by its own name and may do what stands here.",
        "security": [{"$ref": "#/components/securitySchemes/sasl"}],
    }


def _channels(topic: Topic) -> list[tuple[str, Node]]:
    working = _channel(
        topic.name, topic.model.__name__, topic.partitions, topic.retention_ms, topic.max_bytes
    )
    doc = (topic.model.__doc__ or "").strip().splitlines()[0]
    working["description"] = f"{doc} Key: {topic.key}."
    dead = _channel(
        topic.dead_letters,
        DEAD_LETTER,
        DEAD_LETTER_PARTITIONS,
        DEAD_LETTER_RETENTION_MS,
        MAX_DEAD_LETTER_BYTES,
    )
    dead["description"] = (
        f"What a reader of {topic.name} could not read or handle. Key: as it was. After `dw dlq replay` a note beside it: "
        f"{Header.RESUMED}, when, and topic, partition and offset of the record, without a kind of failure."
    )
    return [(topic.name, working), (topic.dead_letters, dead)]


def _channel(address: str, message: str, partitions: int, retention_ms: int, max_bytes: int) -> Node:
    return {
        "address": address,
        "messages": {message: {"$ref": f"#/components/messages/{message}"}},
        "bindings": {
            "kafka": {
                "partitions": partitions,
                "topicConfiguration": {"retention.ms": retention_ms, "max.message.bytes": max_bytes},
                "bindingVersion": BINDING,
            }
        },
    }


def _operations(topic: Topic) -> list[tuple[str, Node]]:
    message = topic.model.__name__
    found = [_operation("send", service, topic.name, message) for service in topic.writers]
    found += [_operation("receive", service, topic.name, message, group=service) for service in topic.readers]
    found += [_operation("receive", service, topic.name, message) for service in topic.groupless]
    found += [
        _operation("send", service, topic.dead_letters, DEAD_LETTER)
        for service in (*dict.fromkeys((*topic.readers, *topic.groupless)), OPERATOR)
    ]
    found.append(_operation("receive", OPERATOR, topic.dead_letters, DEAD_LETTER))
    return found


def _operation(
    action: str, service: str, address: str, message: str, group: str | None = None
) -> tuple[str, Node]:
    channel = f"#/channels/{address}"
    node: Node = {
        "action": action,
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{message}"}],
        "tags": [{"name": service}],
    }
    if action == "receive" and service != OPERATOR:
        how = f"group {group}" if group else "no group: every replica reads all, from the end"
        node["summary"] = f"{service} reads with {how}."
    if group is not None:
        node["bindings"] = {
            "kafka": {"groupId": {"type": "string", "const": group}, "bindingVersion": BINDING}
        }
    return f"{service}.{action}.{address}", node


def _components() -> Node:
    models = messages()
    _, schemas = models_json_schema(
        [(model, "validation") for model in models.values()], ref_template="#/components/schemas/{model}"
    )
    golden = examples()
    known: dict[str, Node] = {}
    for ce_type, model in models.items():
        known[model.__name__] = {
            "name": ce_type,
            "title": model.__name__,
            "summary": (model.__doc__ or "").strip().splitlines()[0],
            "traits": [{"$ref": "#/components/messageTraits/headers"}],
            "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
            "examples": [
                {"name": name, "payload": message.model_dump(mode="json", exclude_defaults=True)}
                for name, message in golden[ce_type].items()
            ],
        }
    known[DEAD_LETTER] = {
        "name": "dead letter",
        "summary": "The original bytes, key and headers, and why, where and when it died.",
        "contentType": "application/octet-stream",
        "headers": {"$ref": "#/components/schemas/DeadLetterHeaders"},
    }
    return {
        "messages": known,
        "messageTraits": {"headers": {"headers": {"$ref": "#/components/schemas/Headers"}}},
        "schemas": {"Headers": _headers(), "DeadLetterHeaders": _dead_letter_headers(), **schemas["$defs"]},
        "securitySchemes": {
            "sasl": {
                "type": "userPassword",
                "description": "SASL PLAIN: " + ", ".join((*(cls.service for cls in ALL), OPERATOR)),
            }
        },
    }


def _headers() -> Node:
    return {
        "type": "object",
        "required": ["ce_id", "ce_type"],
        "properties": {
            "ce_id": {"type": "string", "description": "id of the event, decision, change or batch"},
            "ce_type": {"type": "string", "enum": list(messages()), "description": "which message this is"},
            "traceparent": {
                "type": "string",
                "description": "W3C Trace Context; absent where nothing is traced",
            },
        },
    }


def _dead_letter_headers() -> Node:
    texts = {
        Header.REASON: "why, without the text of the message",
        Header.KIND: "kind of failure",
        Header.STEP: "service and step that gave up",
        Header.ATTEMPTS: "how often it was tried",
        Header.AT: "when, ISO 8601",
        Header.TOPIC: "topic it was read from",
        Header.PARTITION: "its partition there",
        Header.OFFSET: "its offset there",
        Header.RESUMED: "set on what `dw dlq replay` put back",
    }
    properties: Node = {
        str(header): {"type": "string", "description": texts[header]}
        for header in Header
        if header is not Header.RESUMED
    }
    properties[str(Header.KIND)]["enum"] = [str(kind) for kind in FailureKind]
    return {
        "type": "object",
        "description": "Beside the headers that the record had.",
        "required": list(properties),
        "properties": properties,
    }
