"""dw bench NAME: speed as a ratio to a baseline that runs beside it, in turn; median of three."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dw_cli.local import console, fail

COMMON: Final = ("bench", "value", "baseline", "ratio", "target", "ok")


def folder() -> Path:
    """The bench folder of the checkout that we stand in."""
    for parent in (Path.cwd(), *Path.cwd().parents):
        if (parent / "bench").is_dir() and (parent / "pyproject.toml").exists():
            return parent / "bench"
    raise fail("benchmarks live in a checkout of the project: go there first")


def names() -> list[str]:
    """Every benchmark: a file of the folder with a `run()`."""
    return sorted(path.stem for path in folder().glob("*.py") if not path.stem.startswith("_"))


def bench(
    name: Annotated[str, typer.Argument(help="One benchmark, or all.")],
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON a benchmark.")] = False,
) -> None:
    """Run one benchmark or all. Exit status 1 if one misses its target."""
    known = names()
    if name != "all" and name not in known:
        raise fail(f"no benchmark {name!r}: known are {', '.join(known)}")
    results = [_run(each) for each in (known if name == "all" else [name])]
    for result in results:
        if as_json:
            sys.stdout.write(json.dumps(result) + "\n")
            sys.stdout.flush()
        else:
            for line in lines_of(result):
                console.print(line, highlight=False, markup=False)
    if not all(result["ok"] for result in results):
        raise typer.Exit(1)


def lines_of(result: dict[str, Any]) -> list[str]:
    """The result, and in a line below what else was found."""
    mark = "ok" if result["ok"] else "MISSED"
    head = f"{result['bench']:<18} {result['value']:>12.1f}  ratio {result['ratio']:.3f}  target {result['target']}  {mark}"
    more = [f"{name.replace('_', ' ')}: {value}" for name, value in result.items() if name not in COMMON]
    return [head, f"  {', '.join(more)}"] if more else [head]


def _run(name: str) -> dict[str, Any]:
    sys.path.insert(0, str(folder()))
    try:
        spec = importlib.util.spec_from_file_location(f"dw_bench_{name}", folder() / f"{name}.py")
        if spec is None or spec.loader is None:
            raise fail(f"cannot read benchmark {name}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        result: dict[str, Any] = module.run()
        return result
    finally:
        sys.path.pop(0)
