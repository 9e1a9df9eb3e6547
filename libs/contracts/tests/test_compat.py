"""What may change in a published model, and what may not (rule 10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from dw_contracts.catalogue import http_models, messages
from dw_contracts.compat import breaking_changes
from dw_contracts.landed import accepted_lines, breaks

Schema = dict[str, Any]


class Part(BaseModel):
    name: str = Field(max_length=10)
    note: str | None = None


class Published(BaseModel):
    kind: Literal["in", "out"]
    text: str = Field(min_length=1, max_length=100)
    count: int = Field(default=0, ge=0, le=9)
    at: str = Field(pattern="^[a-z]+$")
    span: tuple[int, int] = (0, 0)
    part: Part
    parts: tuple[Part, ...] = ()
    labels: dict[str, str] = {}
    maybe: Part | None = None


def _schema() -> Schema:
    copied: Schema = json.loads(json.dumps(Published.model_json_schema()))
    return copied


def _field(schema: Schema, name: str) -> Schema:
    found: Schema = schema["properties"][name]
    return found


def _set(name: str, **values: object) -> Callable[[Schema], object]:
    return lambda schema: _field(schema, name).update(values)


def _require(name: str) -> Callable[[Schema], object]:
    return lambda schema: schema["required"].append(name)


def _add(name: str, *, required: bool) -> Callable[[Schema], None]:
    def change(schema: Schema) -> None:
        schema["properties"][name] = {"type": "string"}
        if required:
            schema["required"].append(name)

    return change


def _part(change: Callable[[Schema], object]) -> Callable[[Schema], object]:
    return lambda schema: change(schema["$defs"]["Part"])


def _rename(schema: Schema) -> None:
    schema["properties"]["body"] = schema["properties"].pop("text")


BREAKING: dict[str, tuple[Callable[[Schema], object], list[str]]] = {
    "removed": (lambda s: s["properties"].pop("labels"), ["labels: was removed or renamed"]),
    "renamed": (_rename, ["text: was removed or renamed"]),
    "retyped": (_set("text", type="integer"), ["text: was string and is integer"]),
    "retyped to optional": (
        lambda s: s["properties"].__setitem__("text", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ["text: was string and is null or string"],
    ),
    "no longer optional": (
        lambda s: s["properties"].__setitem__("maybe", {"$ref": "#/$defs/Part"}),
        ["maybe: was null or object and is object"],
    ),
    "newly required": (
        _require("count"),
        ["count: is newly required: messages without it are still on the topic"],
    ),
    "no longer required": (
        lambda s: s["required"].remove("text"),
        ["text: is no longer required: readers of today refuse messages without it"],
    ),
    "new and required": (
        _add("added", required=True),
        ["added: is new and required: messages without it are still on the topic"],
    ),
    "another default": (
        _set("count", default=1),
        ["count: has another default: writers leave defaults out, so what is written changes its meaning"],
    ),
    "member removed": (_set("kind", enum=["in"]), ["kind: no longer allows out"]),
    "member renamed": (_set("kind", enum=["in", "sent"]), ["kind: no longer allows out"]),
    "enumeration of what was free": (
        _set("text", enum=["a"]),
        ["text: allows only a and allowed anything"],
    ),
    "shorter": (_set("text", maxLength=50), ["text: maxLength is 50 and was 100"]),
    "longer at least": (_set("text", minLength=2), ["text: minLength is 2 and was 1"]),
    "smaller": (_set("count", maximum=8), ["count: maximum is 8 and was 9"]),
    "a limit where none was": (_set("labels", maxProperties=3), ["labels: maxProperties is 3 and was open"]),
    "another pattern": (_set("at", pattern="^[a-f]+$"), ["at: pattern is ^[a-f]+$ and was ^[a-z]+$"]),
    "a format where none was": (_set("text", format="uuid"), ["text: format is uuid and was open"]),
    "another number of places": (
        lambda s: _field(s, "span")["prefixItems"].append({"type": "integer"}),
        ["span: had 2 places and has 3"],
    ),
    "a place retyped": (
        lambda s: _field(s, "span")["prefixItems"].__setitem__(1, {"type": "string"}),
        ["span[1]: was integer and is string"],
    ),
    "an entry of a map retyped": (
        _set("labels", additionalProperties={"type": "integer"}),
        ["labels.*: was string and is integer"],
    ),
    "unknown fields refused": (
        lambda s: s.update(additionalProperties=False),
        ["the whole: refuses fields that it does not know"],
    ),
    "removed in a part": (
        _part(lambda part: part["properties"].pop("note")),
        ["part.note: was removed or renamed"],
    ),
    "tightened in a part": (
        _part(lambda part: part["properties"]["name"].update(maxLength=5)),
        ["part.name: maxLength is 5 and was 10"],
    ),
}

FINE: dict[str, Callable[[Schema], object]] = {
    "nothing": lambda schema: None,
    "optional field": _add("added", required=False),
    "optional field in a part": _part(_add("added", required=False)),
    "further member": _set("kind", enum=["in", "out", "edit"]),
    "wider limit": _set("text", maxLength=200),
    "lower limit": _set("text", minLength=0),
    "limit taken away": lambda schema: _field(schema, "count").pop("maximum"),
    "another description": _set("text", description="said better"),
    "another order": lambda schema: schema.update(properties=dict(reversed(schema["properties"].items()))),
}


@pytest.mark.parametrize(("change", "expected"), BREAKING.values(), ids=list(BREAKING))
def test_a_breaking_difference_is_named_with_its_field(
    change: Callable[[Schema], object], expected: list[str]
) -> None:
    new = _schema()
    change(new)

    assert breaking_changes(_schema(), new) == expected


@pytest.mark.parametrize("change", FINE.values(), ids=list(FINE))
def test_an_addition_is_fine(change: Callable[[Schema], object]) -> None:
    new = _schema()
    change(new)

    assert breaking_changes(_schema(), new) == []


def test_a_single_literal_that_becomes_one_of_two_is_an_addition() -> None:
    class Before(BaseModel):
        status: Literal["accepted"] = "accepted"

    class After(BaseModel):
        status: Literal["accepted", "parked"] = "accepted"

    assert breaking_changes(Before.model_json_schema(), After.model_json_schema()) == []
    assert breaking_changes(After.model_json_schema(), Before.model_json_schema()) == [
        "status: no longer allows parked"
    ]


def test_a_model_that_holds_itself_comes_to_an_end() -> None:
    class Tree(BaseModel):
        model_config = ConfigDict(title="Tree")
        name: str
        children: tuple[Tree, ...] = ()
        parent: Tree | None = None

    Tree.model_rebuild()

    changed = Tree.model_json_schema()
    del changed["$defs"]["Tree"]["properties"]["name"]
    assert breaking_changes(Tree.model_json_schema(), changed) == ["name: was removed or renamed"]


@pytest.mark.parametrize("model", [*messages().values(), *http_models().values()])
def test_no_model_of_ours_breaks_itself(model: type[BaseModel]) -> None:
    assert breaking_changes(model.model_json_schema(), model.model_json_schema()) == []


def test_a_break_says_which_field_of_which_message_and_what_to_do() -> None:
    path = "libs/contracts/schemas/messages/dw.thing.v1.json"
    old, new = _schema(), _schema()
    new["properties"].pop("labels")

    assert breaks({path: [json.dumps(old)]}, {path: json.dumps(new)}) == [
        "messages/dw.thing.v1: labels: was removed or renamed. "
        "Keep it and add an optional field, or declare a new .v2 topic with a model of its own beside it"
    ]


def test_every_version_that_landed_is_held_against_the_new_one() -> None:
    path = "libs/contracts/schemas/http/ingest.Thing.json"
    older, last = _schema(), _schema()
    older["properties"]["gone"] = {"type": "string"}

    found = breaks({path: [json.dumps(last), json.dumps(older)]}, {path: json.dumps(last)})

    assert [line.split(". ")[0] for line in found] == ["http/ingest.Thing: gone: was removed or renamed"]


def test_a_schema_that_is_no_longer_made_breaks() -> None:
    path = "libs/contracts/schemas/messages/dw.thing.v1.json"

    found = breaks({path: ["{}"]}, {})

    assert [line.split(". ")[0] for line in found] == [
        "messages/dw.thing.v1: the whole: was removed or renamed"
    ]


def test_a_break_that_was_accepted_with_a_reason_passes() -> None:
    path = "libs/contracts/schemas/messages/dw.thing.v1.json"
    text = '- break: "messages/dw.thing.v1: the whole: was removed or renamed"\n  why: never released\n'

    assert breaks({path: ["{}"]}, {}, accepted_lines(text)) == []


def test_a_break_that_was_accepted_without_a_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="no reason"):
        accepted_lines('- break: "messages/dw.thing.v1: text: was removed or renamed"\n')


def test_an_empty_list_of_accepted_breaks_accepts_none() -> None:
    assert accepted_lines("# none yet\n") == ()
