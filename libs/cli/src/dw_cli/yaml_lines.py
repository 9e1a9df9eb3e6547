"""YAML that people write, read whole, with the line of every part: what is wrong is said with the line to go to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

Place = tuple[str, ...]
MERGE: Final = "tag:yaml.org,2002:merge"


class BadYaml(Exception):
    """No YAML, or a name that stands twice in one mapping. `line` counts from 1; 0 where none can be named."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line
        self.words = words

    def said_of(self, path: Path) -> str:
        """With the file, and the line where there is one."""
        return f"{path}:{self.line}: {self.words}" if self.line else f"{path}: {self.words}"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines by place: names of mappings, and numbers from 0 in lists."""

    by_place: Mapping[Place, int]

    def of(self, place: Sequence[object]) -> int:
        """The line of the place, or of the nearest part around it that stands in the file."""
        parts = tuple(map(str, place))
        return next((self.by_place[p] for p in _shorter(parts) if p in self.by_place), 1)

    def of_words(self, dotted: str) -> int:
        """The same for a place in one text, whose names may hold dots themselves."""
        found: Place = ()
        rest = dotted
        while rest:
            inner = [p for p in self.by_place if len(p) == len(found) + 1 and p[:-1] == found]
            fits = [p for p in inner if rest == p[-1] or rest.startswith(p[-1] + ".")]
            if not fits:
                break
            found = max(fits, key=lambda p: len(p[-1]))
            rest = rest[len(found[-1]) + 1 :]
        return self.by_place.get(found, 1)


def read_yaml(path: Path) -> tuple[Any, Lines]:
    """What stands in the file, as yaml.safe_load gives it, and where. Raises BadYaml."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BadYaml(0, f"is no UTF-8: {error.reason} at byte {error.start}") from None
    except FileNotFoundError:
        raise BadYaml(0, "there is no such file") from None
    except OSError as error:
        raise BadYaml(0, error.strerror or type(error).__name__) from None
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        lines = dict(_places(node, (), set())) if node is not None else {}
        return (loader.construct_document(node) if node is not None else None), Lines(lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = ": ".join(part for part in (error.context, error.problem) if part)
        raise BadYaml(mark.line + 1 if mark else 0, words) from None
    except (yaml.YAMLError, ValueError) as error:  # signs that no YAML has; a date that there is not
        raise BadYaml(0, " ".join(str(error).split())) from None
    finally:
        loader.dispose()


def _shorter(parts: Place) -> Iterator[Place]:
    return (parts[:size] for size in range(len(parts), -1, -1))


def _places(node: yaml.Node, at: Place, above: set[int]) -> Iterator[tuple[Place, int]]:
    """Every part once; an alias is looked into where its anchor stands."""
    yield at, node.start_mark.line + 1
    if id(node) in above:
        return
    above.add(id(node))
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            if name in seen and key.tag != MERGE:
                raise BadYaml(key.start_mark.line + 1, f"{name[:64]!r} stands here a second time")
            seen.add(name)
            yield from _places(value, (*at, name), above)
            yield (*at, name), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _places(value, (*at, str(number)), above)
