"""dw prompts list, show, propose, approve, activate, log: what models are asked with, for who runs the installation.

Prompts belong to no org, so no token of an org opens them: these commands take the administrator's database connection,
as dw migrate does (DW_DATABASE_ADMIN_URL, else the running local stack).
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from dw_cli.local import console, fail, first_fault, with_database
from dw_cli.yaml_lines import BadYaml, read_yaml
from dw_store import prompts
from dw_store.database import Database, Tx
from dw_store.prompts import Act, PromptRefused

app = typer.Typer(no_args_is_help=True, help=__doc__)
T = TypeVar("T")
Key = Annotated[str, typer.Argument(help="learning_detect or skill_draft.")]
Version = Annotated[int, typer.Argument(help="Its number.", min=1)]
By = Annotated[str, typer.Option("--by", help="Who does it; else the name of this account.")]
Why = Annotated[str, typer.Option("--why", help="Kept on record.")]


class _File(BaseModel):
    """A prompt in a file."""

    model_config = ConfigDict(extra="forbid")

    key: str
    system: str
    turn: str


@app.callback()
def about() -> None:
    """What models are asked with, by version; a new one counts once somebody else approved it."""


@app.command("list")
def list_versions(key: Annotated[str, typer.Argument(help="One prompt, else all.")] = "") -> None:
    """Versions, the newest first; the active one is marked."""
    for row in with_database(lambda database: prompts.versions(database, key)):
        mark = "active" if row["active"] else row["status"]
        approved = f", approved by {row['approver']}" if row["approver"] else ""
        say(
            f"{row['key']}-{row['version']}  {mark}  by {row['proposed_by']}{approved}  {row['change_summary']}"
        )


@app.command()
def show(key: Key, version: Annotated[int, typer.Argument(help="Else the active one.", min=0)] = 0) -> None:
    """One version, in the form that propose reads."""
    rows = with_database(lambda database: prompts.versions(database, key))
    found = next((r for r in rows if (r["version"] == version if version else r["active"])), None)
    if found is None:
        raise fail(f"there is no {key}-{version}" if version else f"no version of {key} is active")
    sys.stdout.write(_as_file(key, found["body"], found["turn"]))


@app.command()
def propose(
    file: Annotated[Path, typer.Argument(help="YAML: key, system, turn; as dw prompts show writes it.")],
    why: Why,
    by: By = "",
) -> None:
    """A new draft. It changes nothing until it is approved and made active."""
    wanted = _file(file)
    version = _write(lambda tx: prompts.propose(tx, wanted.key, wanted.system, wanted.turn, _act(by, why)))
    say(
        f"{wanted.key}-{version} is proposed: somebody else approves it with dw prompts approve {wanted.key} {version}"
    )


@app.command()
def approve(
    key: Key,
    version: Version,
    by: By = "",
    why: Why = "",
    alone: Annotated[
        bool, typer.Option("--alone", help="There is no second person; on record as such.")
    ] = False,
) -> None:
    """A person's yes to a draft."""
    _write(lambda tx: prompts.approve(tx, key, version, _act(by, why), alone=alone))
    say(f"{key}-{version} is approved: dw prompts activate {key} {version}")


@app.command()
def activate(key: Key, version: Version, by: By = "", why: Why = "") -> None:
    """Ask with it from now on; an older one brings the prompt back to what it was."""
    before = _write(lambda tx: prompts.activate(tx, key, version, _act(by, why)))
    say(f"{key}-{version} is active, in every detector within seconds; {before or 'none'} was")


@app.command()
def log(key: Annotated[str, typer.Argument(help="One prompt, else all.")] = "") -> None:
    """What was done, the latest first."""
    for row in with_database(lambda database: prompts.events(database, key)):
        alone = " alone" if row["self_approved"] else ""
        before = f" instead of {row['previous_version']}" if row["previous_version"] else ""
        say(
            f"{row['at']:%Y-%m-%d %H:%M}  {row['key']}-{row['version']} {row['act']}{before}{alone} by {row['actor']}"
            f"  {row['reason']}"
        )


def _act(by: str, why: str) -> Act:
    return Act(by.strip() or getpass.getuser(), why.strip(), datetime.now(UTC))


def _file(path: Path) -> _File:
    try:
        raw, lines = read_yaml(path)
    except BadYaml as bad:
        raise fail(bad.said_of(path)) from None
    try:
        return _File.model_validate(raw)
    except ValidationError as error:
        line = lines.of(error.errors(include_input=False, include_url=False)[0]["loc"])
        raise fail(f"{path}:{line}: {first_fault(error)}") from None


def _as_file(key: str, system: str, turn: str) -> str:
    parts = [f"key: {key}"]
    for name, text in (("system", system), ("turn", turn)):
        parts += [f"{name}: |-", *(f"  {line}" if line else "" for line in text.splitlines())]
    return "\n".join(parts) + "\n"


def _write(act: Callable[[Tx], Awaitable[T]]) -> T:
    async def acted(database: Database) -> T:
        async with database.system() as tx:
            return await act(tx)

    try:
        return with_database(acted)
    except PromptRefused as refused:
        raise fail(str(refused)) from None


def say(line: str) -> None:
    """One line as it is."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)
