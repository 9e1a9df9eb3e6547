"""Requests for any route of an application, made from what the application says of it: paths, queries, bodies. So a
new route is attacked from its first day."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi.routing import APIRoute

OPEN = {"/health/live", "/health/ready", "/metrics", "/control/resume"}  # they know no org


@dataclass(frozen=True)
class Names:
    """What an attacker may name, by what a parameter or field is called; `ids` where it is called anything else."""

    by_name: Mapping[str, tuple[str, ...]]
    ids: tuple[str, ...]

    def of(self, name: str) -> tuple[str, ...]:
        """Values for a parameter."""
        for known, values in self.by_name.items():
            if name == known or name.endswith(f"_{known}"):
                return values
        return self.ids


@dataclass(frozen=True)
class Attack:
    """One request."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str] | None = None

    def sent(self) -> str:
        """All that it says."""
        return f"{self.path} {dict(self.query)} {self.json} {self.form}"


def attacks(route: APIRoute, names: Names, orgs: tuple[str, ...]) -> Iterator[Attack]:
    """Every combination of orgs with one value at a time of the other parameters."""
    params = {param.name for param in route.dependant.path_params} | _in_path(route.path)
    choices = [orgs if name == "org" else names.of(name) for name in sorted(params)]
    for method in sorted(route.methods or ()):
        for values in itertools.product(*choices):
            path = route.path
            for name, value in zip(sorted(params), values, strict=True):
                path = path.replace("{" + name + "}", value)
            for query in _queries(route, names):
                for body in _bodies(route, names):
                    yield Attack(method, path, query, **body)


def _in_path(path: str) -> set[str]:
    return {part[1:-1].partition(":")[0] for part in path.split("/") if part.startswith("{")}


def _queries(route: APIRoute, names: Names) -> Iterator[dict[str, str]]:
    known = {param.name: param for param in route.dependant.query_params}
    yield {}
    for name in known:
        for value in names.by_name.get(name, names.ids[:2] if "id" in name else ()):
            yield {name: value}


def _bodies(route: APIRoute, names: Names) -> Iterator[dict[str, Any]]:
    form = {param.name for param in route.dependant.body_params}
    if form:
        yield {"form": {name: names.of(name)[0] for name in form}}
        return
    body = (route.openapi_extra or {}).get("requestBody")
    if body is None:
        yield {}
        return
    schema = next(iter(body["content"].values()))["schema"]
    for variant in schema.get("oneOf", [schema]):
        for turn in range(4):
            yield {"json": example(variant, variant.get("$defs", {}), names, turn)}


def example(
    schema: Mapping[str, Any], defs: Mapping[str, Any], names: Names, turn: int, name: str = ""
) -> Any:
    """A value that fits; where it can name something, it names something of theirs. `turn` picks among values."""
    if "$ref" in schema:
        return example(defs[schema["$ref"].rpartition("/")[2]], defs, names, turn, name)
    if "anyOf" in schema or "allOf" in schema:
        return example((schema.get("anyOf") or schema["allOf"])[0], defs, names, turn, name)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][turn % len(schema["enum"])]
    match schema.get("type"):
        case "object" if "properties" in schema:
            needed = set(schema.get("required", ()))
            return {
                key: example(part, defs, names, turn, key)
                for key, part in schema["properties"].items()
                if key in needed or turn % 2 == 0 or key in names.by_name
            }
        case "object":
            inner = schema.get("additionalProperties")
            return (
                {names.of(name)[0]: example(inner, defs, names, turn)}
                if isinstance(inner, dict) and turn
                else {}
            )
        case "array":
            return [example(schema.get("items", {}), defs, names, turn, name.removesuffix("s"))]
        case "integer" | "number":
            return max(1, int(schema.get("minimum", 1)))
        case "boolean":
            return bool(turn % 2)
        case _:
            values = names.of(name)
            return values[turn % len(values)] if name in names.by_name or "id" in name else _text(schema)


def _text(schema: Mapping[str, Any]) -> str:
    return "2026-12-01T00:00:00Z" if schema.get("format") == "date-time" else "printer"
