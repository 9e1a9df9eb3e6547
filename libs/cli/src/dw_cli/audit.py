"""dw audit verify, export: whether the log is what it was, and a copy of it."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal
from uuid import UUID

import typer

from dw_cli.local import admin_dsn, ask_panel, console, fail, panel_token
from dw_client import PanelClient
from dw_learning.audit_chain import Fault, Report
from dw_store.audit_chain import org_id_of, verify_chain
from dw_store.database import Database
from dw_store.errors import StoreUnavailable

app = typer.Typer(no_args_is_help=True, help=__doc__)
TIMEOUT_SECONDS: Final = 60.0
_HEAD: Final = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")
MEANING: Final[dict[Fault, str]] = {
    "removed": "the event is gone",
    "changed": "the event is not what was sealed",
    "reordered": "the event was moved here from another place",
    "unlinked": "it does not follow from the entry before it: entries were moved or taken out",
    "gap": "an entry is missing here",
    "text_changed": "its texts are not what was sealed",
    "text_removed": "its texts are gone, and nobody erased them",
    "erased_without_record": "texts were erased, and no event says by whom",
    "unsealed": "it has waited too long for its place",
    "head_unknown": "the head that was noted is not in the chain: it was cut off or made anew",
}


@app.command()
def verify(
    org: Annotated[str, typer.Option(help="Code of the org.")],
    head: Annotated[
        str, typer.Option(help="The head that an earlier run printed: shows a chain that was cut off.")
    ] = "",
) -> None:
    """Recompute the whole chain. Exit status 1 if something was changed, taken out or moved."""
    noted = _HEAD.fullmatch(head)
    if head and noted is None:
        raise fail("--head is PLACE:HASH, as an earlier run printed it")
    wanted = (int(noted[1]), noted[2]) if noted else None
    try:
        report = asyncio.run(_verify(admin_dsn(), org, wanted))
    except StoreUnavailable as error:
        raise fail(f"PostgreSQL is not there: {error}") from None
    if report is None:
        raise fail(f"there is no org {org!r}")
    for line in lines_of(report):
        console.print(line, highlight=False, markup=False)
    if not report.holds:
        raise typer.Exit(1)


async def _verify(dsn: str, org: str, noted: tuple[int, str] | None) -> Report | None:
    async with Database.connect(
        dsn, size=1, application_name="dw-audit", statement_seconds=300.0
    ) as database:
        async with database.system() as tx:
            org_id = await org_id_of(tx, org)
        return await verify_chain(database, org_id, datetime.now(UTC), noted) if org_id is not None else None


def lines_of(report: Report) -> list[str]:
    """What the command prints."""
    lines = [
        f"place {found.position or '-'}, event {found.event_id or '-'}: {MEANING[found.fault]}"
        for found in report.findings
    ]
    waiting = f", {report.waiting} wait for their place" if report.waiting else ""
    verdict = "the log holds" if report.holds else f"THE LOG DOES NOT HOLD: {len(report.findings)} findings"
    return [
        *lines,
        f"{report.sealed} events sealed, texts of {report.erased} erased{waiting}: {verdict}",
        f"head {report.head[0]}:{report.head[1]}  (note it elsewhere, and give it to --head the next time)",
    ]


@app.command()
def export(
    org: Annotated[str, typer.Option(help="Code of the org.")],
    out: Annotated[Path, typer.Option(help="The file to write; it must not exist yet.")],
    form: Annotated[Literal["jsonl", "csv"], typer.Option("--format", help="jsonl or csv.")] = "jsonl",
    agent: Annotated[UUID | None, typer.Option(help="Events of one role-agent.")] = None,
    item: Annotated[
        UUID | None, typer.Option(help="Events of one learning item and what came of it.")
    ] = None,
    type_: Annotated[str, typer.Option("--type", help="Events of one type.")] = "",
    actor: Annotated[str, typer.Option(help="Who acted: a code, a user id or dw_worker:…")] = "",
    since: Annotated[datetime | None, typer.Option(help="From this moment on (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Before this moment (UTC).")] = None,
    token: Annotated[str, typer.Option(envvar="DW_TOKEN", help="Your token; else the stack's own.")] = "",
) -> None:
    """Copy the log, as far as you may read it, newest first. The export is itself on record."""
    filters = {
        "agent": agent,
        "item": item,
        "type": type_,
        "actor": actor,
        "since": _utc(since),
        "until": _utc(until),
    }
    params = {name: str(value) for name, value in filters.items() if value} | {"format": form}
    secret = panel_token(org, token)
    try:
        out.touch(mode=0o600, exist_ok=False)  # a log of who said what is nobody else's to read
    except FileExistsError:
        raise fail(f"{out} exists already") from None
    try:
        written = ask_panel(
            org, secret, lambda client: _export(client, org, params, out), timeout=TIMEOUT_SECONDS
        )
    except typer.Exit:
        out.unlink()
        raise
    console.print(f"{written} bytes in {out}", highlight=False, markup=False)


async def _export(client: PanelClient, org: str, params: dict[str, str], out: Path) -> int:
    written = 0
    with out.open("wb") as file:
        async for piece in client.export_audit(org, **params):
            written += file.write(piece)
    return written


def _utc(at: datetime | None) -> str:
    return at.replace(tzinfo=at.tzinfo or UTC).isoformat() if at else ""
