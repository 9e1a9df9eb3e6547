"""dw memory export, import: what a role-agent knows as markdown files, and files as proposals. Both only when asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from dw_cli.local import ask_panel, console, counted, fail
from dw_cli.memory_folder import Unreadable, find_files, read_entries, stale_files, write_entries
from dw_client import PanelClient
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
TIMEOUT_SECONDS: Final = 60.0


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
    entries, hidden = ask_panel(
        org, token, lambda client: _exported(client, org, agent), timeout=TIMEOUT_SECONDS
    )
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
    try:
        entries = read_entries(folder, find_files(folder))
    except Unreadable as error:
        raise fail(str(error)) from None
    if not entries:
        raise fail(f"{folder} holds no memory files")
    done = ask_panel(
        org, token, lambda client: _imported(client, org, agent, entries), timeout=TIMEOUT_SECONDS
    )
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


async def _exported(client: PanelClient, org: str, agent: str) -> tuple[list[ExportedMemory], int]:
    page = await client.export_memory(org, agent)
    found = [*page.entries]
    while page.next is not None:
        page = await client.export_memory(org, agent, after=page.next)
        found += page.entries
    return found, page.hidden


async def _imported(
    client: PanelClient, org: str, agent: str, entries: Sequence[ImportEntry]
) -> list[ImportedMemories]:
    return [
        await client.import_memory(org, agent, ImportMemories(entries=tuple(entries[at : at + MAX_IMPORT])))
        for at in range(0, len(entries), MAX_IMPORT)
    ]


def _say(line: str) -> None:
    console.print(line, highlight=False, markup=False)
