"""Which differences between two JSON Schemas break a reader or writer of what landed before (rule 10).

Messages are kept for days and services are deployed one by one, so that a new reader meets old messages and an old
reader new ones. Additions are fine: a new optional field, a further member of an enumeration, a wider limit (deploy
the reader first). A default may not change either: writers leave defaults out (`Message.to_bytes`), so that another
one would change what is already written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]

_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_EXACT = ("pattern", "format")


def breaking_changes(old_schema: Schema, new_schema: Schema) -> list[str]:
    """One line for each difference that breaks, beginning with the field's path; empty where there is none."""
    return list(_Comparison(old_schema, new_schema).nodes(old_schema, new_schema, ""))


class _Comparison:
    """Two documents with their definitions. A pair that was compared once is not compared again: models may nest."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[str, str]] = set()

    def nodes(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        yield from _defaults(old, new, at)
        before, after = _branches(old, self._old), _branches(new, self._new)
        kinds = [branch.kind for branch in before], [branch.kind for branch in after]
        if kinds[0] != kinds[1]:
            yield _line(at, f"was {_words(kinds[0])} and is {_words(kinds[1])}")
            return
        for one, other in zip(before, after, strict=True):
            names = one.name, other.name
            if not all(names) or names not in self._seen:
                self._seen.add(names)
                yield from self._same_kind(one.schema, other.schema, at)

    def _same_kind(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        yield from _limits(old, new, at)
        yield from _members(old, new, at)
        yield from self._properties(old, new, at)
        yield from self._contents(old, new, at)

    def _properties(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        had_to, has_to = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in before.items():
            path = f"{at}.{name}" if at else name
            if name not in after:
                yield _line(path, "was removed or renamed")
                continue
            if name in has_to - had_to:
                yield _line(path, "is newly required: messages without it are still on the topic")
            if name in had_to - has_to:
                yield _line(path, "is no longer required: readers of today refuse messages without it")
            yield from self.nodes(schema, after[name], path)
        for name in sorted((after.keys() - before.keys()) & has_to):
            path = f"{at}.{name}" if at else name
            yield _line(path, "is new and required: messages without it are still on the topic")

    def _contents(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        for word, mark in (("items", "[]"), ("additionalProperties", ".*")):
            before, after = old.get(word), new.get(word)
            if isinstance(before, dict) and isinstance(after, dict):
                yield from self.nodes(before, after, at + mark)
            elif after is False and before is not False:
                yield _line(at, "refuses fields that it does not know")
            elif isinstance(after, dict) and before is not after:
                yield _line(at + mark, "has a type now and had none")
        pairs = old.get("prefixItems", []), new.get("prefixItems", [])
        if len(pairs[0]) != len(pairs[1]):
            yield _line(at, f"had {len(pairs[0])} places and has {len(pairs[1])}")
        for place, (one, other) in enumerate(zip(*pairs, strict=False)):
            yield from self.nodes(one, other, f"{at}[{place}]")


@dataclass(frozen=True, slots=True)
class _Branch:
    """One thing that a value may be. `name` is its definition's, or empty where it stands in place."""

    kind: str
    name: str
    schema: Schema


def _branches(schema: Schema, document: Schema) -> list[_Branch]:
    found = []
    for choice in schema.get("anyOf") or schema.get("oneOf") or [schema]:
        name = str(choice.get("$ref", "")).rpartition("/")[2]
        resolved = document["$defs"][name] if name else choice
        found.append(_Branch(_kind(resolved), name, resolved))
    return sorted(found, key=lambda branch: (branch.kind, branch.name))


def _kind(schema: Schema) -> str:
    """What a value is, as a reader's language sees it. A literal has the kind of its members."""
    if "type" in schema:
        return str(schema["type"])
    members = _allowed(schema)
    if members:
        return {str: "string", bool: "boolean", int: "integer"}.get(type(members[0]), "number")
    return "any"


def _allowed(schema: Schema) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    members: list[Any] | None = schema.get("enum")
    return members


def _defaults(old: Schema, new: Schema, at: str) -> Iterator[str]:
    if "default" in old and "default" in new and old["default"] != new["default"]:
        yield _line(
            at, "has another default: writers leave defaults out, so what is written changes its meaning"
        )


def _members(old: Schema, new: Schema, at: str) -> Iterator[str]:
    before, after = _allowed(old), _allowed(new)
    if after is None:
        return
    if before is None:
        yield _line(at, f"allows only {', '.join(map(str, after))} and allowed anything")
        return
    gone = [str(member) for member in before if member not in after]
    if gone:
        yield _line(at, f"no longer allows {', '.join(gone)}")


def _limits(old: Schema, new: Schema, at: str) -> Iterator[str]:
    for word in _UPPER:
        if word in new and (word not in old or new[word] < old[word]):
            yield _line(at, f"{word} is {new[word]} and was {old.get(word, 'open')}")
    for word in _LOWER:
        if word in new and (word not in old or new[word] > old[word]):
            yield _line(at, f"{word} is {new[word]} and was {old.get(word, 'open')}")
    for word in _EXACT:
        if word in new and new[word] != old.get(word):
            yield _line(at, f"{word} is {new[word]} and was {old.get(word, 'open')}")


def _words(kinds: list[str]) -> str:
    return " or ".join(kinds)


def _line(at: str, problem: str) -> str:
    return f"{at or 'the whole'}: {problem}"
