"""dw gate status, limits, kill, ledger, models: what an org may spend on models, the off switch, and what was spent."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from dw_cli.gate_values import changes_of
from dw_cli.gate_waits import defaults, waits
from dw_cli.gate_words import call_words, scope_words, usd
from dw_cli.local import ask_panel, console, fail, first_fault, with_database
from dw_client import PanelClient
from dw_contracts.http.gate import SCOPES, GateLimit, GateStatus, LedgerPage, SetGateLimit
from dw_store.gate_settings import settings_changes

app = typer.Typer(no_args_is_help=True, help=__doc__)
Org = Annotated[str, typer.Option(help="Code of the org.")]
Token = Annotated[
    str, typer.Option(envvar="DW_TOKEN", help="A token of an admin or owner; else the stack's own.")
]
Scope = Annotated[str, typer.Option(help=f"{SCOPES}.")]
AsJson = Annotated[bool, typer.Option("--json", help="One line of JSON.")]


@app.callback()
def gate() -> None:
    """What an org may spend on models, and the off switch."""


@app.command()
def status(org: Org, as_json: AsJson = False, token: Token = "") -> None:
    """What is spent, held and parked."""
    told: GateStatus = ask_panel(org, token, lambda client: client.gate_status(org))
    if as_json:
        sys.stdout.write(told.model_dump_json() + "\n")
        return
    for use in told.use:
        _say(
            f"{scope_words(use)}: {usd(use.day_micro_usd)} today, {usd(use.month_micro_usd)} this month, "
            f"{usd(use.reserved_micro_usd)} held for {use.in_flight} calls"
        )
    for limit in told.limits:
        _say(_words(limit))
    if by_default := defaults(told):
        _say(f"an org that sets no budget of its own has {by_default}")
    for line in waits(told):
        _say(line)
    calls = ", ".join(f"{count} {status}" for status, count in told.calls_today.items()) or "none"
    _say(f"calls today: {calls}; waiting for a limit: {told.parked}")


@app.command()
def limits(
    org: Org,
    scope: Scope = "org",
    daily: Annotated[str | None, typer.Option(help="US dollars a UTC day, or none.")] = None,
    monthly: Annotated[str | None, typer.Option(help="US dollars a UTC month, or none.")] = None,
    soft: Annotated[str | None, typer.Option(help="Percent at which to warn; none: 80.")] = None,
    requests: Annotated[str | None, typer.Option(help="Calls a minute, or none.")] = None,
    tokens: Annotated[str | None, typer.Option(help="Tokens a minute, or none.")] = None,
    in_flight: Annotated[str | None, typer.Option(help="Calls at once, or none.")] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="On the allow-list, may be repeated; none: all models.")
    ] = None,
    region: Annotated[
        list[str] | None, typer.Option(help="Where models may work, may be repeated; none: anywhere.")
    ] = None,
    token: Token = "",
) -> None:
    """Set limits of a scope. What is not named stays, `none` takes a limit away (for the org's own budgets, the
    installation's hold then); without any option, say what is set."""
    changes = changes_of(
        {
            "--daily": daily,
            "--monthly": monthly,
            "--soft": soft,
            "--requests": requests,
            "--tokens": tokens,
            "--in-flight": in_flight,
            "--model": model,
            "--region": region,
        }
    )
    if changes:
        _set(org, token, scope, changes)
        return
    told: GateStatus = ask_panel(org, token, lambda client: client.gate_status(org))
    for limit in told.limits:
        _say(_words(limit))
    if not told.limits:
        by_default = defaults(told)
        _say(
            "no limits of its own: the installation's default budgets hold"
            + (by_default and f", {by_default}")
        )


@app.command()
def kill(
    org: Org,
    scope: Scope = "org",
    undo: Annotated[bool, typer.Option("--undo", help="Switch it on again.")] = False,
    token: Token = "",
) -> None:
    """Switch calls of a scope off, from the next call on."""
    _set(org, token, scope, {"killed": not undo})


@app.command()
def ledger(
    org: Org,
    as_csv: Annotated[bool, typer.Option("--csv", help="All of it as CSV on standard output.")] = False,
    since: Annotated[datetime | None, typer.Option(help="From this moment on (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Before this moment (UTC).")] = None,
    feature: Annotated[str, typer.Option(help="One feature key, else all.")] = "",
    token: Token = "",
) -> None:
    """Calls to models and what each cost, the latest first: the last 50, or with --csv all. A copy is on record."""
    moments = {
        name: at.replace(tzinfo=UTC).isoformat() for name, at in (("since", since), ("until", until)) if at
    }
    filters = {**moments, **({"feature": feature} if feature else {})}

    async def copied(client: PanelClient) -> None:
        async for piece in client.export_ledger(org, format="csv", **filters):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()

    if as_csv:
        ask_panel(org, token, copied)
        return
    page: LedgerPage = ask_panel(org, token, lambda client: client.gate_ledger(org, **filters))
    for call in page.calls:
        _say(call_words(call))
    if page.next_cursor:
        _say("there is more: --csv writes all")


@app.command()
def models(as_json: AsJson = False) -> None:
    """Models, prices and bounds of the installation by change, the latest first: for who holds the administrator's
    connection, as dw prompts."""
    for row in with_database(settings_changes):
        if as_json:
            sys.stdout.write(
                json.dumps({**row, "at": row["at"].isoformat()}, ensure_ascii=False, sort_keys=True) + "\n"
            )
            continue
        before, after = row["before"] or {}, row["after"]
        changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        words = (
            f"{name} {before.get(name, '-') or '-'} -> {after.get(name, '-') or '-'}" for name in changed
        )
        _say(f"{row['at']:%Y-%m-%d %H:%M}  {'; '.join(words)}")


def _set(org: str, token: str, scope: str, changes: dict[str, Any]) -> None:
    try:
        wanted = SetGateLimit.model_validate({"scope": scope, **changes})
    except ValidationError as error:
        raise fail(f"these limits do not fit: {first_fault(error)}") from None
    limit: GateLimit = ask_panel(org, token, lambda client: client.set_gate_limit(org, wanted))
    _say(_words(limit))


def _words(limit: GateLimit) -> str:
    parts = ["SWITCHED OFF"] if limit.killed else []
    parts += [f"{usd(limit.daily_micro_usd)} a day"] if limit.daily_micro_usd is not None else []
    parts += [f"{usd(limit.monthly_micro_usd)} a month"] if limit.monthly_micro_usd is not None else []
    parts += [f"warning at {limit.soft_percent} %"]
    parts += [f"{limit.requests_per_minute} calls a minute"] if limit.requests_per_minute is not None else []
    parts += [f"{limit.tokens_per_minute} tokens a minute"] if limit.tokens_per_minute is not None else []
    parts += [f"{limit.max_in_flight} at once"] if limit.max_in_flight is not None else []
    parts += [f"models {', '.join(limit.allowed_models)}"] if limit.allowed_models is not None else []
    parts += [f"regions {', '.join(limit.allowed_regions)}"] if limit.allowed_regions is not None else []
    return f"limits of {scope_words(limit)}: {', '.join(parts)}"


def _say(line: str) -> None:
    console.print(line, highlight=False, markup=False, soft_wrap=True)
