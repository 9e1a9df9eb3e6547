"""From bytes to messages: strict JSON, a known version, the contract, and the key that belongs to it."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from pydantic import ValidationError

from dw_contracts.dead_letters import FailureKind
from dw_contracts.model import Message, in_our_words
from dw_contracts.strict_json import NotStrictJson, loads
from dw_runtime.failures import Permanent
from dw_runtime.records import Record

T = TypeVar("T", bound=Message)
KNOWN_VERSION = 1
MAX_REASONS = 5


def parse_message(record: Record, model: type[T]) -> T:
    """Read a record's value as `model`. Raises Permanent with what is wrong and where, never with the text."""
    if record.value is None:
        raise Permanent("the record has no value")
    return parse_raw(parse_json(record.value), model)


def parse_json(value: bytes) -> dict[str, Any]:
    """Strict JSON of a known version."""
    try:
        raw = loads(value)
    except NotStrictJson as error:
        raise Permanent(str(error)) from None
    if "schema_version" in raw and raw["schema_version"] != KNOWN_VERSION:
        raise Permanent(f"schema_version is not {KNOWN_VERSION}", FailureKind.UNKNOWN_VERSION)
    return raw


def parse_raw(raw: dict[str, Any], model: type[T]) -> T:
    """Read parsed JSON as `model`, embedded events included."""
    if raw.get("schema_version", KNOWN_VERSION) != KNOWN_VERSION:
        raise Permanent(
            f"{model.__name__}: schema_version is not {KNOWN_VERSION}", FailureKind.UNKNOWN_VERSION
        )
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise Permanent(describe(error, model)) from None


def describe(error: ValidationError, model: type[Message]) -> str:
    """Which fields are wrong, and how, without their values."""
    entries = error.errors(include_input=False, include_url=False, include_context=False)[:MAX_REASONS]
    return f"{model.__name__}: " + "; ".join(
        f"{'.'.join(map(str, e['loc']))}: {in_our_words(e['msg'])}" for e in entries
    )


def check_key(record: Record, org_id: UUID | str, role_agent_id: UUID | str) -> None:
    """The key places a record in its agent's order; one that names another org or agent is refused (F 58)."""
    if record.key != f"{org_id}:{role_agent_id}".encode():
        raise Permanent("the key does not name the message's org and role-agent")
