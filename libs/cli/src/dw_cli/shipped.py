"""dw skill, dw tools: what comes with us for models and their runtimes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import orjson
import typer

from dw_cli.local import console, fail
from dw_client import search_agent_history_tool
from dw_client.shipped import shipped_skill, shipped_skills


def skill(
    name: Annotated[str, typer.Argument(help="Without one, the names are listed.")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder in which to make NAME/SKILL.md.")] = None,
) -> None:
    """Print a skill that we ship, or write its folder: agent-memory is the whole contract of the memory API."""
    if not name:
        for known in shipped_skills():
            console.print(known, highlight=False)
        return
    try:
        text = shipped_skill(name)
    except KeyError:
        raise fail(f"there is no skill {name!r}: there are {', '.join(shipped_skills())}") from None
    if out is None:
        sys.stdout.write(text)
        return
    path = out / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise fail(f"{path} exists already") from None
    console.print(f"{path}", highlight=False, markup=False)


def tools() -> None:
    """Print the tools for the `tools` of a chat completion, as the OpenAI API has them: search_agent_history."""
    shown = orjson.dumps(
        [search_agent_history_tool()], option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )
    sys.stdout.write(shown.decode())
