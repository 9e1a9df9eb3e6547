"""The form that a provider is sent: bounds as in our contract, words for a model. No name and no remark of ours is in
it (G25): a title, a description or a default of the contract speaks to us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

NOT_SENT = frozenset({"title", "description", "default", "$defs"})


def form_of(model: type[BaseModel], words: Mapping[str, str]) -> dict[str, Any]:
    """The model's JSON schema in one piece; `words` describe fields by their names, at whatever depth they stand."""
    schema = model.model_json_schema()
    form = _plain(schema, schema.get("$defs", {}), words)
    if not isinstance(form, dict):
        raise TypeError("a form is an object")
    return form


def _plain(node: Any, defs: Mapping[str, Any], words: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_plain(each, defs, words) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(defs[node["$ref"].rpartition("/")[2]], defs, words)
    plain = {
        name: value if name in ("properties", "enum") else _plain(value, defs, words)
        for name, value in node.items()
        if name not in NOT_SENT
    }
    if "prefixItems" in plain:  # a pair: many endpoints know lists of one kind alone
        plain["items"] = plain.pop("prefixItems")[0]
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(value, defs, words) | ({"description": words[name]} if name in words else {})
            for name, value in node["properties"].items()
        }
        plain["additionalProperties"] = False
    return plain
