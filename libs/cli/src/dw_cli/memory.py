"""dw memory export, import: what a role-agent knows as markdown files, and files as proposals. Both only when asked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from dw_cli.local import console, counted, fail, running, url_of
from dw_cli.memory_folder import Unreadable, find_files, read_entries, stale_files, write_entries
from dw_client import PanelClient, Refused, Unavailable
from dw_contracts.http.memory_files import (
    MAX_IMPORT,
    ExportedMemory,
    ImportedMemories,
    ImportEntry,
    ImportMemories,
)

app = typer.Typer(no_args_is_help=True, help=__doc__)
Org = Annotated[str, typer.Option(help="Code of the org.")]
Agent = Annotated[str, typer.Option(help="Id or code of the role-agent.")]
Token = Annotated[str, typer.Option(envvar="DW_TOKEN", help="Your token; else the stack's own.")]


@app.command()
def export(
    org: Org,
    agent: Agent,
    out: Annotated[Path, typer.Option(help="The folder; files of the same entries are written over.")],
    prune: Annotated[bool, typer.Option(help="Delete memory files of what is not known any more.")] = False,
    token: Token = "",
) -> None:
    """Write one file an entry: OUT/LAYER/KEY.md. What was deleted or changed there is made again as the database has it;
    the database is not changed."""
    panel, secret = url_of("panel", "DW_PANEL_URL"), _token(org, token)
    try:
        entries, hidden = asyncio.run(_exported(panel, secret, org, agent))
    except (Refused, Unavailable) as error:
        raise fail(str(error)) from None
    try:
        written = write_entries(out, entries)
        stale = stale_files(out, written)
    except Unreadable as error:
        raise fail(str(error)) from None
    _say(f"{counted(len(written), 'entry', 'entries')} in {out}")
    if hidden:
        _say(f"{hidden} sensitive ones are for admins and owners alone: not written")
    for path in stale:
        if prune:
            path.unlink()
        _say(f"{path}: not known any more" + (", deleted" if prune else "; --prune deletes it"))


@app.command("import")
def import_(
    folder: Annotated[Path, typer.Argument(help="As `dw memory export` writes it.")],
    org: Org,
    agent: Agent,
    token: Token = "",
) -> None:
    """Propose every file as what the role-agent knows: one item of the Learning Inbox for 200 files, for somebody's yes.
    A file that is wrong is told with its line, and then nothing is sent."""
    panel, secret = url_of("panel", "DW_PANEL_URL"), _token(org, token)
    try:
        entries = read_entries(folder, find_files(folder))
    except Unreadable as error:
        raise fail(str(error)) from None
    if not entries:
        raise fail(f"{folder} holds no memory files")
    try:
        done = asyncio.run(_imported(panel, secret, org, agent, entries))
    except (Refused, Unavailable) as error:
        raise fail(str(error)) from None
    results = [result for part in done for result in part.results]
    for result in results:
        if result.status == "rejected":
            _say(f"{result.file}: rejected ({result.reason}) {result.explanation}".rstrip())
    counts = {name: sum(1 for r in results if r.status == name) for name in ("proposed", "known", "rejected")}
    _say(", ".join(f"{count} {name}" for name, count in counts.items()))
    for part in done:
        if part.item_id is not None:
            _say(f"item {part.item_id} waits in the Learning Inbox")
    if counts["rejected"]:
        raise typer.Exit(1)


async def _exported(panel: str, token: str, org: str, agent: str) -> tuple[list[ExportedMemory], int]:
    found: list[ExportedMemory] = []
    async with PanelClient(panel, token, timeout=60.0) as client:
        page = await client.export_memory(org, agent)
        found += page.entries
        while page.next is not None:
            page = await client.export_memory(org, agent, after=page.next)
            found += page.entries
    return found, page.hidden


async def _imported(
    panel: str, token: str, org: str, agent: str, entries: Sequence[ImportEntry]
) -> list[ImportedMemories]:
    async with PanelClient(panel, token, timeout=60.0) as client:
        return [
            await client.import_memory(
                org, agent, ImportMemories(entries=tuple(entries[at : at + MAX_IMPORT]))
            )
            for at in range(0, len(entries), MAX_IMPORT)
        ]


def _token(org: str, token: str) -> str:
    kept = token or (None if os.environ.get("DW_PANEL_URL") else running().product.kept_token(org))
    if not kept:
        raise fail("set DW_TOKEN, or --token: no owner's token of this org is kept here")
    return kept


def _say(line: str) -> None:
    console.print(line, highlight=False, markup=False)
