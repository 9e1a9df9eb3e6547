"""What this phase must not build (R349 to R359): each absence is held, so that it cannot come in by the side door."""

from __future__ import annotations

import re
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dw_contracts.events.chat import EventKind, Platform
from dw_contracts.http.context import ContextPack
from dw_contracts.http.ingest import InboundEvent
from dw_contracts.settings import ALL
from dw_contracts.topics import TOPICS

ROOT = Path(__file__).parents[2]
DsnOf = Callable[[str], str]


def sources() -> Iterator[Path]:
    """Python and SQL of the product, without tests."""
    for folder in ("libs", "services"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".sql") and "src" in path.parts:
                yield path


def code_names(path: Path) -> set[str]:
    """Identifiers of a module, in lower case; words of comments and docstrings do not count."""
    with path.open("rb") as source:
        return {
            token.string.lower()
            for token in tokenize.tokenize(source.readline)
            if token.type == tokenize.NAME
        }


def named(pattern: str) -> list[str]:
    """Modules that define or use something so called."""
    wanted = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources()
        if path.suffix == ".py"
        for name in sorted(code_names(path))
        if wanted.search(name)
    ]


def required() -> set[str]:
    """Third-party packages of the product, direct and locked."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = {match[1].lower() for match in re.finditer(r"^([A-Za-z0-9_.-]+)==", lock, re.MULTILINE)}
    for path in (ROOT / "libs").glob("*/pyproject.toml"):
        project: dict[str, Any] = tomllib.loads(path.read_text("utf-8")).get("project", {})
        locked |= {re.split(r"[<>=!~ \[;]", entry)[0].lower() for entry in project.get("dependencies", ())}
    return locked


def schema(dsn_of: DsnOf, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn_of("admin")) as connection:
        return connection.execute(statement.encode()).fetchall()


def limits() -> str:
    """What we tell people that it does not do."""
    return " ".join((ROOT / "SECURITY.md").read_text("utf-8").split())


@pytest.mark.integration
def test_r349_no_embeddings_no_vectors(dsn_of: DsnOf) -> None:
    assert (
        schema(dsn_of, "SELECT extname FROM pg_extension WHERE extname NOT IN ('plpgsql', 'btree_gin')") == []
    )
    types = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND udt_name IN ('vector', '_float4')"
    assert schema(dsn_of, types) == []
    assert named(r"embed(ding|_text|der)|cosine|faiss|pgvector") == []
    vector_stores = {
        "faiss-cpu",
        "pgvector",
        "sentence-transformers",
        "qdrant-client",
        "chromadb",
        "hnswlib",
        "torch",
    }
    assert not required() & vector_stores


def test_r350_no_compaction_by_a_model() -> None:
    """A model is asked by the detector alone, and what it answers becomes a proposal or a save of a new memory."""
    assert named(r"compact(ion|_memor)|consolidat|summari[sz]e_memor|merge_memor") == []
    callers = {
        path.relative_to(ROOT).parts[1]
        for path in sources()
        if path.suffix == ".py" and re.search(r"chat/completions|/v1/messages", path.read_text("utf-8"))
    }
    assert callers <= {"detector", "devstack", "testkit", "cli"}


@pytest.mark.integration
def test_r351_no_critique_detection(dsn_of: DsnOf) -> None:
    """The soul's critique rules are stored and never shown to a model; nothing judges how people work."""
    assert {kind.value for kind in EventKind} == {
        "message_in",
        "message_out",
        "edit",
        "delete",
        "tool_run",
        "correction",
    }
    assert named(r"detect_critique|process_improvement|critique_detect") == []
    assert "critique" not in ContextPack.model_json_schema().__str__()
    checks = (
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'dw_learning_items'::regclass"
    )
    assert not [text for (text,) in schema(dsn_of, checks) if "critique" in text or "improvement" in text]


@pytest.mark.integration
def test_r352_no_channel_and_no_user_scope_of_memory(dsn_of: DsnOf) -> None:
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = 'dw_agent_memories'"
    found = {name for (name,) in schema(dsn_of, columns)}
    assert not found & {"channel_id", "channel_binding_id", "user_id", "preference_scope"}
    [(scope,)] = schema(
        dsn_of,
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = 'dw_agent_memories'::regclass AND conname = 'dw_agent_memories_scope_check'",
    )
    assert set(re.findall(r"'(\w+)'", scope)) == {"org", "role_agent"}


def test_r353_no_voice_and_no_audio() -> None:
    assert {platform.value for platform in Platform} == {
        "telegram",
        "slack",
        "discord",
        "email",
        "webhook",
        "panel",
    }
    assert named(r"(?<!in)voice|audio|speech_to|transcri") == []


@pytest.mark.parametrize("field", ["attachments", "files", "media", "image", "audio"])
def test_r354_no_media_is_taken_in(field: str) -> None:
    """A gateway may send what the platform gave it: what is no text is left behind."""
    given = {
        "channel": "C1",
        "message_ref": "m1",
        "text": "see the picture",
        "sender": {"platform": "slack", "external_user_id": "U1", field: "x"},
        field: [{"url": "https://example.org/cat.png"}],
    }
    assert field not in InboundEvent.model_fields
    assert "example.org" not in InboundEvent.model_validate(given).model_dump_json()


def test_r355_no_end_to_end_encryption_and_we_say_so() -> None:
    assert "Messages are not encrypted end to end" in limits()
    assert named(r"end_to_end|e2ee|double_ratchet") == []


def test_r356_no_channels_of_several_users_and_we_say_so() -> None:
    """A channel is a place with one role-agent that answers; it has no users, rights or rooms of its own (C3)."""
    assert "no accounts, roles or rooms of its own" in limits()
    assert named(r"channel_(user|participant)s?$|invite_to_channel") == []


def test_r357_no_messages_between_agents_over_channels() -> None:
    """No topic carries a recipient agent, and an agent's own words are let go before they are learned from."""
    for topic in TOPICS:
        fields = set(topic.model.model_fields)
        assert not fields & {"to_agent_id", "target_agent_id", "recipient_agent_id", "from_agent_id"}, (
            topic.name
        )
    assert named(r"(send|message)_to_agent|agent_to_agent") == []


@pytest.mark.integration
def test_r358_nothing_is_pruned_by_default(dsn_of: DsnOf) -> None:
    default = (
        "SELECT column_default FROM information_schema.columns"
        " WHERE table_name = 'dw_agent_memories' AND column_name = 'retention_policy'"
    )
    assert schema(dsn_of, default) == [("'permanent_until_revoked'::text",)]
    rights = "SELECT has_table_privilege('dw_app', 'dw_agent_memories', 'DELETE')"
    assert schema(dsn_of, rights) == [(False,)]


def test_r359_no_file_store_for_memory() -> None:
    """Rows are the truth (R25): no service has a folder of memories, and the store writes no files."""
    for settings in ALL:
        assert not [
            n for n in settings.model_fields if re.search(r"memory_(dir|path|file)|(data|state)_dir", n)
        ]
    writers = re.compile(r"\.write_(text|bytes)\(|open\([^)]*[\"'][wa]b?[\"']")
    writing = [
        str(path.relative_to(ROOT))
        for path in sources()
        if path.suffix == ".py"
        and path.relative_to(ROOT).parts[1] in ("store", "policy", "context", "panel-api", "learning")
        and writers.search(path.read_text("utf-8"))
    ]
    assert writing == []


def test_memory_goes_to_files_and_back_by_hand_alone() -> None:
    """R189: no service moves memory files by itself; the panel's routes and the command do, when somebody asks."""
    users = {line.split(":")[0] for line in named(r"^memory_files$|^export_memory$|^import_memory$")}
    assert users
    services = {path for path in users if path.startswith("services/")}
    assert {path.split("/")[1] for path in services} == {"panel-api"}
    assert not [path for path in services if path.endswith("/schedule.py")]
