"""dw key list, make, token, revoke: what opens doors of an org, made and ended from the command line."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

import typer
from pydantic import ValidationError

from dw_cli.local import ask_panel, console, fail, first_fault
from dw_client import PanelClient
from dw_contracts.http.access import KeyView, MadeSecret, NewKeyRequest, NewTokenRequest, RevokedKey

app = typer.Typer(no_args_is_help=True, help=__doc__)
Org = Annotated[str, typer.Option(help="Code of the org.")]
Token = Annotated[
    str, typer.Option(envvar="DW_TOKEN", help="A token of an admin or owner; else the stack's own.")
]
Name = Annotated[str, typer.Argument(help="One line; no two live keys have one name.")]
Days = Annotated[int | None, typer.Option(min=1, max=3_650, help="Until it ends; else until it is revoked.")]
Bare = Annotated[bool, typer.Option("--bare", help="The secret alone, for a script to take.")]
MOST = 1_000


@app.command("list")
def list_(
    org: Org,
    revoked: Annotated[
        bool, typer.Option("--revoked", help="Those that open nothing any more, too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    token: Token = "",
) -> None:
    """Keys, tokens and sessions, the newest first, without their secrets: the org's for admins, else your own."""
    keys = ask_panel(org, token, lambda client: _all(client, org, revoked=revoked))
    for key in keys:
        if as_json:
            sys.stdout.write(key.model_dump_json() + "\n")
        else:
            _say(_words(key))
    if not keys and not as_json:
        _say("none")


@app.command()
def make(
    name: Name,
    org: Org,
    kind: Annotated[Literal["gateway", "runtime"], typer.Option(help="Whose key it is.")],
    channel: Annotated[
        list[str] | None, typer.Option(help="Gateway: a channel it speaks for; may be repeated.")
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option(help="Runtime: an agent it serves, else all; may be repeated.")
    ] = None,
    unproven: Annotated[
        bool, typer.Option("--unproven", help="Gateway: its sender ids prove nothing.")
    ] = False,
    days: Days = None,
    bare: Bare = False,
    token: Token = "",
) -> None:
    """Make a key for a machine. Its secret is shown here and nowhere else."""
    try:
        wanted = NewKeyRequest(
            name=name,
            kind=kind,
            channels=tuple(channel or ()),
            agents=tuple(agent or ()),
            proves_sender=not unproven,
            expires_at=_ends(days),
        )
    except ValidationError as error:
        raise fail(first_fault(error)) from None
    _show(f"key {name}", ask_panel(org, token, lambda client: client.make_key(org, wanted)), bare)


@app.command("token")
def token_(
    org: Org,
    name: Annotated[str, typer.Argument(help="Where it is used.")] = "token",
    days: Days = None,
    bare: Bare = False,
    token: Token = "",
) -> None:
    """Make another token of your own. Nobody makes one for somebody else."""
    try:
        wanted = NewTokenRequest(name=name, expires_at=_ends(days))
    except ValidationError as error:
        raise fail(first_fault(error)) from None
    _show(f"token {name}", ask_panel(org, token, lambda client: client.make_token(org, wanted)), bare)


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="Its id, or its name where only one live one has it.")],
    org: Org,
    token: Token = "",
) -> None:
    """End a key, token or session: it opens nothing from here on, and a few seconds later nowhere."""
    done: RevokedKey = ask_panel(org, token, lambda client: _revoked(client, org, key))
    _say(f"{done.id} opens nothing since {_when(done.revoked_at)}")


async def _all(client: PanelClient, org: str, *, revoked: bool) -> list[KeyView]:
    """All pages, at most MOST keys."""
    page = await client.keys(org, revoked=revoked, limit=200)
    found = [*page.keys]
    while page.next_cursor is not None and len(found) < MOST:
        page = await client.keys(org, revoked=revoked, cursor=page.next_cursor, limit=200)
        found += page.keys
    return found


async def _revoked(client: PanelClient, org: str, named: str) -> RevokedKey:
    try:
        key = UUID(named)
    except ValueError:
        key = await _by_name(client, org, named)
    return await client.revoke_key(org, key)


async def _by_name(client: PanelClient, org: str, named: str) -> UUID:
    fits = [key for key in await _all(client, org, revoked=False) if key.name == named]
    if len(fits) == 1:
        return fits[0].id
    if not fits:
        raise fail(f"org {org} has no live key of that name: dw key list shows them")
    raise fail("\n".join([f"{len(fits)} have that name, so say which by its id:", *map(_words, fits)]))


def _show(what: str, made: MadeSecret, bare: bool) -> None:
    if bare:
        sys.stdout.write(made.secret + "\n")
        return
    _say(f"{what} ({made.id}), shown once: {made.secret}")


def _words(key: KeyView) -> str:
    opens = ", ".join(key.channels or key.agents) or (
        key.user or ("all agents" if key.kind == "runtime" else "nothing")
    )
    parts = [str(key.id), f"{key.kind:<7}", key.name, opens, f"made {_when(key.created_at)}"]
    parts += [f"ends {_when(key.expires_at)}"] if key.expires_at is not None else []
    parts += ["its senders are unproven"] if not key.proves_sender else []
    parts += [f"REVOKED {_when(key.revoked_at)}"] if key.revoked_at is not None else []
    return "  ".join(parts)


def _when(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at is not None else "-"


def _ends(days: int | None) -> datetime | None:
    return datetime.now(UTC) + timedelta(days=days) if days is not None else None


def _say(line: str) -> None:
    console.print(line, highlight=False, markup=False)
