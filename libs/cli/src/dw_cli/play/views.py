"""What a person or a model could read of an answer: texts, kinds, reasons, names; never ids, times or scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

_UUID: Final = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d\S*")
_UNREAD: Final = frozenset(
    {
        "allowed_actions", "dropped", "marks", "trace_id", "next_cursor", "source_refs", "subject_identity",
        "highlights", "row_version", "version", "policy_version", "content_hash", "dedupe_key",
    }
)  # fmt: skip
_SOURCES: Final = frozenset({"evidence", "sources"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list. `main` is what it is about; `rest` are the sources behind it."""

    main: str
    rest: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def all(self) -> str:
        """Everything that can be read of it."""
        return f"{self.main}\n{self.rest}" if self.rest else self.main


@dataclass(frozen=True, slots=True)
class View:
    """A list, as somebody sees it. `text` stands for the whole where it is read as one."""

    entries: tuple[Entry, ...]
    text: str | None = None

    @property
    def readable(self) -> tuple[str, ...]:
        """What contains and lacks look at."""
        return (self.text,) if self.text is not None else tuple(entry.all for entry in self.entries)


class Reader:
    """Turns answers into entries. `names` are the setup's names of users and agents, by id."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def named(self, ids: Mapping[str, UUID | str]) -> Reader:
        """The same with more names."""
        return Reader({**self._names, **{str(id_): name for name, id_ in ids.items()}})

    def entry(self, raw: Mapping[str, Any]) -> Entry:
        """One row of a list."""
        main = {name: value for name, value in raw.items() if name not in _SOURCES}
        rest = [value for name, value in raw.items() if name in _SOURCES]
        marks = raw.get("marks")  # words that say what became of a source; places in a text are numbers
        return Entry("\n".join([*self.words(main), *self.words(marks)]), "\n".join(self.words(rest)), raw)

    def entries(self, rows: Iterable[Mapping[str, Any]]) -> tuple[Entry, ...]:
        """All rows."""
        return tuple(self.entry(row) for row in rows)

    def words(self, value: Any) -> list[str]:
        """Every text in it, with ids replaced by names or left out."""
        if isinstance(value, str):
            said = self._readable(value)
            return [said] if said else []
        if isinstance(value, Mapping):
            return [word for name, part in value.items() if name not in _UNREAD for word in self.words(part)]
        if isinstance(value, list | tuple):
            return [word for part in value for word in self.words(part)]
        return []

    def _readable(self, text: str) -> str:
        if _TIME.fullmatch(text):
            return ""
        return _UUID.sub(lambda found: self._names.get(found.group(0).lower(), ""), text).strip()
