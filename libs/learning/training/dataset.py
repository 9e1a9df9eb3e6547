"""All rows a model may be trained from: our own, and the development sets that may ship, where they are present."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grammar import ROWS, Row, grown

FILES = ("workplace.dev.jsonl", "extra.dev.jsonl")


def shared_data() -> Path | None:
    """DW_SHARED_DATA, or a folder shared/data beside one of the folders above this file."""
    named = os.environ.get("DW_SHARED_DATA")
    if named:
        return Path(named) if Path(named).is_dir() else None
    places = (above / "shared" / "data" for above in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_dir()), None)


def meaning_groups() -> dict[str, str]:
    """Row id to the first id of its line."""
    found: dict[str, str] = {}
    for line in (ROWS / "meaning_groups.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            ids = line.split()
            found.update(dict.fromkeys(ids, ids[0]))
    return found


def raw_rows(file: str) -> list[dict[str, Any]]:
    """A development set as it is, or nothing."""
    folder = shared_data()
    if folder is None or not (folder / file).is_file():
        return []
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def given(file: str) -> list[Row]:
    """The rows of a development set, or none. Bots never reach the classifier, so they teach it nothing."""
    groups = meaning_groups()
    return [
        Row(
            raw["text"],
            raw["prev"],
            raw["lang"],
            raw["cls"],
            raw["risk"],
            groups.get(raw["id"], raw["id"]),
            False,
        )
        for raw in raw_rows(file)
        if raw["sender"] != "bot"
    ]


def own(each: int = 8) -> list[Row]:
    """What our templates grow."""
    return list(grown(each))
