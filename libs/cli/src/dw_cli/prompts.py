"""dw prompts list, show, propose, approve, activate, log: what models are asked with, for who runs the installation.

Prompts belong to no org, so no token of an org opens them: these commands take the administrator's database connection,
as dw migrate does (DW_DATABASE_ADMIN_URL, else the running local stack).
"""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from dw_cli.local import console, fail, running
from dw_cli.yaml_lines import BadYaml, read_yaml
from dw_store import prompts
from dw_store.database import Database, Tx
from dw_store.errors import StoreConflict, StoreUnavailable
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
    for row in _read(lambda database: prompts.versions(database, key)):
        mark = "active" if row["active"] else row["status"]
        approved = f", approved by {row['approver']}" if row["approver"] else ""
        say(
            f"{row['key']}-{row['version']}  {mark}  by {row['proposed_by']}{approved}  {row['change_summary']}"
        )


@app.command()
def show(key: Key, version: Annotated[int, typer.Argument(help="Else the active one.", min=0)] = 0) -> None:
    """One version, in the form that propose reads."""
    rows = _read(lambda database: prompts.versions(database, key))
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
    for row in _read(lambda database: prompts.events(database, key)):
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
        raise fail(f"{path}:{bad.line}: {bad.words}" if bad.line else f"{path}: {bad.words}") from None
    try:
        return _File.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise fail(f"{path}:{lines.of(first['loc'])}: {place}: {first['msg']}") from None


def _as_file(key: str, system: str, turn: str) -> str:
    parts = [f"key: {key}"]
    for name, text in (("system", system), ("turn", turn)):
        parts += [f"{name}: |-", *(f"  {line}" if line else "" for line in text.splitlines())]
    return "\n".join(parts) + "\n"


def _read(ask: Callable[[Database], Awaitable[T]]) -> T:
    return with_database(ask)


def _write(act: Callable[[Tx], Awaitable[T]]) -> T:
    async def acted(database: Database) -> T:
        async with database.system() as tx:
            return await act(tx)

    return with_database(acted)


def with_database(ask: Callable[[Database], Awaitable[T]]) -> T:
    """As the installation's administrator; ends the command with words where that cannot be."""
    dsn = os.environ.get("DW_DATABASE_ADMIN_URL")
    if dsn is None:
        local = running()
        dsn = local.product.admin_dsn(local.state.postgres_port)

    async def asked() -> T:
        async with Database.connect(dsn, size=1, application_name="dw-prompts") as database:
            return await ask(database)

    try:
        return asyncio.run(asked())
    except PromptRefused as refused:
        raise fail(str(refused)) from None
    except (StoreUnavailable, StoreConflict):
        raise fail("the database is not there: is DW_DATABASE_ADMIN_URL right?") from None


def say(line: str) -> None:
    """One line as it is."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)
