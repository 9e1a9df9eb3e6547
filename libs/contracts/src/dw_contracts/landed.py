"""What generated files may do to what landed before: nothing that breaks a reader, and no drift. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

import yaml

from dw_contracts.compat import breaking_changes
from dw_contracts.generate import SCHEMAS

ACCEPTED: Final = "libs/contracts/accepted_breaks.yaml"


def breaks(
    landed: Mapping[str, Iterable[str]], made: Mapping[str, str], accepted: Iterable[str] = ()
) -> list[str]:
    """Every breaking difference from any version of a schema that landed, each with what to do instead.

    `landed` has the texts of all versions by path, oldest last; a schema that is no longer made breaks too. A line
    that stands in `accepted` is let through: it was read by a person, with a reason (see `accepted_lines`).
    """
    known = set(accepted)
    found: dict[str, None] = {}
    for path, versions in landed.items():
        for version in versions:
            for problem in _differences(version, made.get(path)):
                line = f"{_short(path)}: {problem}"
                if line not in known:
                    found[f"{line}. {_remedy(path)}"] = None
    return list(found)


def accepted_lines(text: str) -> tuple[str, ...]:
    """The breaks of accepted_breaks.yaml. Each needs a reason, or nobody will know later why no reader was hurt."""
    entries = yaml.safe_load(text) or []
    bare = [entry.get("break") for entry in entries if not entry.get("why")]
    if bare:
        raise ValueError(f"{ACCEPTED}: no reason (why) for {bare[0]!r}")
    return tuple(entry["break"] for entry in entries)


def drift(committed: Mapping[str, str], made: Mapping[str, str]) -> list[str]:
    """Files that differ from what the contracts make, are missing, or are made no more."""
    return [
        *(f"{path} is missing" for path in sorted(made.keys() - committed.keys())),
        *(f"{path} is no longer generated" for path in sorted(committed.keys() - made.keys())),
        *(
            f"{path} differs from the contracts"
            for path in sorted(made.keys() & committed.keys())
            if made[path] != committed[path]
        ),
    ]


def _differences(old: str, new: str | None) -> list[str]:
    if new is None:
        return ["the whole: was removed or renamed"]
    if old == new:
        return []
    return breaking_changes(json.loads(old), json.loads(new))


def _short(path: str) -> str:
    return path.removeprefix(SCHEMAS + "/").removesuffix(".json")


def _remedy(path: str) -> str:
    if "/messages/" in path:
        return (
            "Keep it and add an optional field, or declare a new .v2 topic with a model of its own beside it"
        )
    return "Keep it and add an optional field, or add a model and a route of its own beside it"
