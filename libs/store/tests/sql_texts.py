"""Every SQL statement of the package, as it is sent: module constants by value, texts inside functions by syntax."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import dw_store

SOURCES = Path(dw_store.__file__).parent
VERB = re.compile(
    r"\s*(--[^\n]*\n\s*)*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|SET|RESET|TRUNCATE|MERGE|COPY)\b", re.I
)
OWN_CONNECTION = {"migrate.py"}  # the administrator's, not the pool's


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement and where it stands."""

    place: str
    text: str


def statements() -> list[Statement]:
    """In the order of files and lines. Parts that only other statements are built of are left out."""
    found: list[Statement] = []
    for path in sorted(SOURCES.rglob("*.py")):
        if "migrations" not in path.parts and path.name not in OWN_CONNECTION:
            constants = dict(_constants(path))
            parts = {
                n for n, text in constants.items() if any(text in o and o != text for o in constants.values())
            }
            found += [
                Statement(f"{path.name}:{name}", text)
                for name, text in constants.items()
                if name not in parts
            ]
            found += _inside_functions(path)
    return found


def _constants(path: Path) -> Iterator[tuple[str, str]]:
    name = ".".join(("dw_store", *path.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__")
    module = importlib.import_module(name)
    own = {
        target.id
        for node in ast.parse(path.read_text("utf-8")).body
        for target in (node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)])
        if isinstance(target, ast.Name)
    }
    for constant, value in vars(module).items():
        if constant in own and isinstance(value, str) and VERB.match(value):
            yield constant, value


def _inside_functions(path: Path) -> Iterator[Statement]:
    tree = ast.parse(path.read_text("utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(function, clean=False)
            for node in ast.walk(function):
                text = _text(node)
                if text is not None and text != docstring and VERB.match(text) and " " in text.strip():
                    yield Statement(f"{path.name}:{node.lineno}", text)  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(v.value if isinstance(v, ast.Constant) else "?" for v in node.values)  # type: ignore[misc]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
