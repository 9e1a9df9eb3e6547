"""From a file to a story, or to all that is wrong with it: each fault names file, line, step and field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from dw_cli.play.names import Names, UnknownName
from dw_cli.play.step import Part, Step
from dw_cli.play.steps import STEP_TYPES
from dw_cli.play.story import Feature, Setup, Story, StoryStep
from dw_cli.play.texts import BadText, Texts
from dw_cli.yaml_lines import BadYaml, read_yaml
from dw_contracts.model import in_our_words

BESIDE = ("needs", "tags", "why")
PATTERNS = frozenset(
    {"contains", "lacks", "order", "has", "contains_text", "lacks_text", "flagged", "matching", "of", "take"}
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not fit. Step 0 is the head of the file or its setup; line 0 where none is known."""

    path: str
    step: int
    field: str
    words: str
    line: int = 0

    def __str__(self) -> str:
        where = f"step {self.step}" if self.step else "head"
        file = f"{self.path}:{self.line}" if self.line else self.path
        return f"{file}: {where}, {self.field}: {self.words}"


class BadStory(Exception):
    """All faults of a file; `steps` is how many steps it has, as far as that can be seen."""

    def __init__(self, faults: list[Fault], steps: int) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults
        self.steps = steps


class _Head(Part):
    id: str
    title: str
    requirements: tuple[str, ...] = ()
    needs: tuple[Feature, ...] = ()
    tags: tuple[str, ...] = ()
    setup: Setup
    steps: list[Any] = Field(min_length=1)


class _Beside(Part):
    needs: tuple[Feature, ...] = ()
    tags: tuple[str, ...] = ()
    why: str = ""


def read_story(path: Path) -> Story:
    """The story of a file. BadStory with every fault of it."""
    name = path.name
    try:
        raw, lines = read_yaml(path)
    except BadYaml as bad:
        raise BadStory([Fault(name, 0, "file", bad.words, bad.line)], 1) from None
    try:
        return parse_story(name, raw)
    except BadStory as bad:
        placed = [replace(fault, line=lines.of(_place(fault))) for fault in bad.faults]
        raise BadStory(placed, bad.steps) from None


def read_stories(paths: Sequence[Path]) -> list[Story | BadStory]:
    """Every file, in order."""
    found: list[Story | BadStory] = []
    for path in paths:
        try:
            found.append(read_story(path))
        except BadStory as bad:
            found.append(bad)
    return found


def parse_story(name: str, raw: Any) -> Story:
    """The same of what stands in the file."""
    count = len(raw["steps"]) if isinstance(raw, dict) and isinstance(raw.get("steps"), list) else 1
    faults: list[Fault] = []
    try:
        head = _Head.model_validate(raw)
    except ValidationError as error:
        raise BadStory(_faults(name, 0, error), count) from None
    for org, setup in head.setup.orgs.items():
        faults += [Fault(name, 0, f"setup.orgs.{org}.{field}", words) for field, words in setup.unknown()]
    names = Names(head.setup)
    steps = [
        step for number, each in enumerate(head.steps, 1) for step in _step(name, number, each, names, faults)
    ]
    if faults:
        raise BadStory(faults, count)
    return Story(name, head.id, head.title, head.needs, head.tags, head.setup, tuple(steps))


def _place(fault: Fault) -> list[str]:
    """Where in the file a fault is."""
    within = [] if fault.field in ("file", "step") else fault.field.split(".")
    return ["steps", str(fault.step - 1), *within] if fault.step else within


def _step(name: str, number: int, raw: Any, names: Names, faults: list[Fault]) -> Iterator[StoryStep]:
    if not isinstance(raw, Mapping):
        faults.append(Fault(name, number, "step", "is not a mapping"))
        return
    types = [key for key in raw if key not in BESIDE]
    if len(types) != 1 or types[0] not in STEP_TYPES:
        words = f"one type is needed, of {', '.join(STEP_TYPES)}; here stand {types or 'none'}"
        faults.append(Fault(name, number, str(types[0]) if types else "step", words))
        return
    kind = types[0]
    try:
        beside = _Beside.model_validate({key: raw[key] for key in BESIDE if key in raw})
        step = _read(STEP_TYPES[kind], raw[kind])
    except ValidationError as error:
        faults += _faults(name, number, error, kind)
        return
    faults += [Fault(name, number, field, words) for field, words in _bad_texts(Texts(name), kind, raw[kind])]
    for what, who in step.references():
        try:
            names.find(what, who)
        except UnknownName as error:
            faults.append(Fault(name, number, f"{kind}.{what}", str(error)))
    yield StoryStep(number, kind, step, beside.needs, beside.tags, beside.why)


def _bad_texts(
    texts: Texts, field: str, value: Any, *, is_pattern: bool = False
) -> Iterator[tuple[str, str]]:
    """Texts whose holes cannot be filled, and checks that are no regular expressions."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            checks = is_pattern or key in PATTERNS
            yield from _bad_texts(texts, f"{field}.{key}", part, is_pattern=checks)
    elif isinstance(value, list):
        for part in value:
            yield from _bad_texts(texts, field, part, is_pattern=is_pattern)
    elif isinstance(value, str):
        try:
            texts.check(value)
            if is_pattern:
                re.compile(texts.pattern(value))
        except BadText as error:
            yield field, str(error)
        except re.error as error:
            yield field, f"no regular expression: {error}"


def _read(cls: type[Step], value: Any) -> Step:
    if cls.scalar and not isinstance(value, Mapping):
        value = {cls.scalar: value}
    return cls.model_validate(value)


def _faults(name: str, number: int, error: ValidationError, kind: str = "") -> list[Fault]:
    found = []
    for entry in error.errors(include_url=False, include_input=False):
        words = in_our_words(entry["msg"])
        place = [str(part) for part in entry["loc"]]
        if not place or place == ["fields"]:  # a check of ours begins with the field that it is about
            field, _, rest = words.partition(": ")
            place, words = ([field], rest) if rest and " " not in field else ([], words)
        found.append(Fault(name, number, ".".join([kind, *place] if kind else place) or "file", words))
    return found
