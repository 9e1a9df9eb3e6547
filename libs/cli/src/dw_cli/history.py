"""dw history: old chats into the history, and tokens anew after an upgrade."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from dw_cli.local import admin_dsn, console, fail, running
from dw_cli.publish import channel_of, rows_of, sent_all, wait
from dw_store.database import Database
from dw_store.history_reindex import reindex

app = typer.Typer(no_args_is_help=True, help=__doc__)


@app.command("import")
def import_(
    file: Path,
    org: Annotated[str, typer.Option(help="Code of the org.")],
    channel: Annotated[str, typer.Option(help="Code of the channel.")],
    key: Annotated[
        str, typer.Option(envvar="DW_GATEWAY_KEY", help="A gateway key that speaks for the channel.")
    ],
) -> None:
    """Send a JSON-lines file of old messages (id, speaker, text, thread, at, replies_to) as history: found by searches
    that ask for unproven messages, never learned from."""
    if not file.is_file():
        raise fail(f"{file}: no such file")
    local = running()
    channel_id, platform, workspace = channel_of(local, org, channel)
    rows = [row | {"imported": True} for row in rows_of(file, str(channel_id), platform, workspace)]
    if not rows:
        raise fail(f"{file} holds no messages")
    event_ids, refused = sent_all(local, key, rows)
    for problem, count in refused.most_common():
        console.print(f"{count} refused: {problem}", highlight=False, markup=False)
    outcomes = wait(local, event_ids)
    learned = sum(count for name, count in outcomes.items() if name != "skip (imported)")
    console.print(f"{len(event_ids)} events in the history of {channel}, {learned} with another outcome")
    if refused or learned or sum(outcomes.values()) < len(event_ids):
        raise typer.Exit(1)


@app.command("reindex")
def reindex_() -> None:
    """Make the search tokens of all messages anew, after an upgrade that changed how they are made."""
    console.print(f"{asyncio.run(_reindex(admin_dsn()))} messages indexed anew")


async def _reindex(dsn: str) -> int:
    async with Database.connect(dsn, size=1, application_name="dw-history") as database:
        return await reindex(database)
