"""What stands in the repository is what the contracts make, and every field says what it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from dw_contracts.catalogue import http_models, messages
from dw_contracts.generate import ASYNCAPI, ENVIRONMENT, EXAMPLES, OPENAPI, SCHEMAS, SEARCH_TOOL, generated
from dw_contracts.landed import drift
from dw_contracts.model import Contract
from dw_contracts.topics import OPERATOR, SERVICES, TOPICS

ROOT = Path(__file__).parents[3]
MODELS = {**messages(), **http_models()}
MADE = generated()


def _read(root: Path) -> dict[str, str]:
    folders = (SCHEMAS, EXAMPLES)
    paths = [path for folder in folders for path in (root / folder).rglob("*.json")]
    paths += [root / ASYNCAPI, root / ENVIRONMENT, root / SEARCH_TOOL]
    return {path.relative_to(root).as_posix(): path.read_text() for path in paths if path.exists()}


def _copy(folder: Path) -> Path:
    for path in MADE:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    return folder


def test_the_repository_holds_what_the_contracts_make() -> None:
    assert drift(_read(ROOT), MADE) == []


def test_a_changed_a_missing_and_a_stray_file_are_drift(tmp_path: Path) -> None:
    copy = _copy(tmp_path)
    changed, missing = f"{SCHEMAS}/messages/dw.wakeup.v1.json", f"{EXAMPLES}/dw.wakeup.v1/full.json"
    (copy / changed).write_text((copy / changed).read_text().replace("uuid", "uuid4", 1))
    (copy / missing).unlink()
    stray = f"{SCHEMAS}/messages/dw.wakeup.v0.json"
    (copy / stray).write_text("{}")

    assert drift(_read(copy), MADE) == [
        f"{missing} is missing",
        f"{stray} is no longer generated",
        f"{changed} differs from the contracts",
    ]


def test_generating_twice_gives_the_same_text() -> None:
    assert generated() == MADE


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
def test_every_model_and_every_field_says_what_it_is(model: type[Contract]) -> None:
    assert (model.__doc__ or "").strip(), model
    assert [name for name, field in model.model_fields.items() if not field.description] == []


def test_every_service_with_routes_has_an_openapi_document() -> None:
    documents = {path.stem for path in (ROOT / OPENAPI).glob("*.json")}

    assert documents == {"ingest", "context", "panel"}


def test_the_asyncapi_document_has_every_topic_its_dead_letters_and_every_operation() -> None:
    document = yaml.safe_load(MADE[ASYNCAPI])

    assert set(document["channels"]) == {
        name for topic in TOPICS for name in (topic.name, topic.dead_letters)
    }
    sends = {
        (key.split(".")[0], operation["channel"]["$ref"].removeprefix("#/channels/"))
        for key, operation in document["operations"].items()
        if operation["action"] == "send" and not operation["channel"]["$ref"].endswith(".dlq")
    }
    assert sends == {(writer, topic.name) for topic in TOPICS for writer in topic.writers}
    named = {operation["tags"][0]["name"] for operation in document["operations"].values()}
    assert named == {*SERVICES, OPERATOR} - {"panel"}  # what the panel writes goes out by the relay in policy


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = yaml.safe_load(MADE[ASYNCAPI])

    def references(node: object) -> list[str]:
        if isinstance(node, dict):
            here = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return here + [found for value in node.values() for found in references(value)]
        if isinstance(node, list):
            return [found for value in node for found in references(value)]
        return []

    for reference in references(document):
        node = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in node, reference
            node = node[step]
