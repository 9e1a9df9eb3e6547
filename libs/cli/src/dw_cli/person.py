"""dw person export: a copy of what is held about a person (D59)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import ValidationError

from dw_cli.local import ask_panel, console, fail, first_fault, panel_token
from dw_client import PanelClient
from dw_contracts.http.erasure import Account
from dw_contracts.http.person_export import ExportPerson

app = typer.Typer(no_args_is_help=True, help=__doc__)
TIMEOUT_SECONDS: Final = 300.0


@app.callback()
def person() -> None:
    """A person's own data."""


@app.command()
def export(
    org: Annotated[str, typer.Option(help="Code of the org.")],
    out: Annotated[Path, typer.Option(help="The file to write; it must not exist yet.")],
    member: Annotated[str, typer.Option(help="The person's code in the org.")] = "",
    account: Annotated[
        list[str] | None, typer.Option(help="PLATFORM:WORKSPACE:ID of a further account; may be repeated.")
    ] = None,
    called: Annotated[
        list[str] | None, typer.Option(help="A further name that memories may call the person by.")
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="DW_TOKEN", help="An owner's token; else the stack's own.")
    ] = "",
) -> None:
    """Write one JSON object a line. The export is itself on record."""
    try:
        asked = ExportPerson(
            code=member,
            accounts=tuple(_account(text) for text in account or ()),
            also_known_as=tuple(called or ()),
        )
    except ValidationError as error:
        raise fail(first_fault(error)) from None
    secret = panel_token(org, token)
    try:
        out.touch(mode=0o600, exist_ok=False)  # it is that person's, and nobody else's to read
    except FileExistsError:
        raise fail(f"{out} exists already") from None
    try:
        written = ask_panel(
            org, secret, lambda client: _export(client, org, asked, out), timeout=TIMEOUT_SECONDS
        )
    except typer.Exit:
        out.unlink()
        raise
    console.print(f"{written} bytes in {out}", highlight=False, markup=False)


def _account(text: str) -> Account:
    platform, workspace, account = [*text.split(":", 2), "", ""][:3]
    return Account.model_validate(
        {"platform": platform, "workspace_ref": workspace, "external_user_id": account}
    )


async def _export(client: PanelClient, org: str, asked: ExportPerson, out: Path) -> int:
    written = 0
    with out.open("wb") as file:
        async for piece in client.export_person(org, asked):
            written += file.write(piece)
    return written
