"""dw apply org.yaml: create or update an org, with a printed plan."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from dw_cli.local import console, fail, running, url_of
from dw_cli.yaml_lines import BadYaml, Lines, read_yaml
from dw_client import PanelClient, Refused, Unavailable
from dw_contracts.http.org_file import AppliedOrg, CreateOrg, OrgFile
from dw_contracts.model import in_our_words

NEEDED: Final = {
    "dict_type": "a mapping is needed (name: ...)",
    "model_type": "a mapping is needed (name: ...)",
    "tuple_type": "a list is needed",
}
"""Pydantic's words for these are a programmer's."""


def apply(
    file: Path,
    dry_run: Annotated[bool, typer.Option(help="Print the plan and write nothing.")] = False,
    token: Annotated[
        str, typer.Option(envvar="DW_TOKEN", help="An owner's token; else the installation token.")
    ] = "",
) -> None:
    """Create or update the org that the file describes. Applying it twice changes nothing."""
    org, lines = read_org_file(file)
    try:
        applied = asyncio.run(_apply(org, token, dry_run))
    except (Refused, Unavailable) as error:
        problems = (
            [f"{file}:{lines.of_words(e.at)}: {e.at}: {e.problem}" for e in error.problem.errors]
            if isinstance(error, Refused)
            else []
        )
        raise fail("\n".join([str(error), *problems])) from None
    console.print(f"org {org.org}: {applied.org_id}", highlight=False)
    _print(applied)


def read_org_file(path: Path) -> tuple[OrgFile, Lines]:
    """Read it whole, or say all that is wrong with it, each with its line. Nothing was sent by then."""
    try:
        raw, lines = read_yaml(path)
    except BadYaml as bad:
        raise fail(bad.said_of(path)) from None
    if raw is None:
        raise fail(f"{path} is empty: an org file has org, users, agents, channels (examples/acme.yaml)")
    try:
        return OrgFile.model_validate(raw), lines
    except ValidationError as error:
        faults = [fault for entry in error.errors(include_input=False) for fault in _faults(entry, lines)]
        said = [f"{path}:{line}: {words}" for line, words in sorted(faults)]
        raise fail("\n".join([f"{path} does not fit:", *said])) from None


def _faults(entry: ErrorDetails, lines: Lines) -> list[tuple[int, str]]:
    """Lines and words. What the file's own check found begins with its place, several in one text."""
    if not entry["loc"]:
        parts = in_our_words(entry["msg"]).split("; ")
        return [(lines.of_words(part.partition(": ")[0]), part) for part in parts]
    words = NEEDED.get(entry["type"]) or in_our_words(entry["msg"])
    return [(lines.of(entry["loc"]), f"{'.'.join(map(str, entry['loc']))}: {words}")]


async def _apply(org: OrgFile, token: str, dry_run: bool) -> AppliedOrg:
    panel = url_of("panel", "DW_PANEL_URL")
    kept = None if token or os.environ.get("DW_PANEL_URL") else running().product.kept_token(org.org)
    if kept is not None:
        try:
            return await _send(panel, kept, org, dry_run)
        except Refused as refused:
            if refused.problem.status not in (401, 404):
                raise
    return await _send(panel, token or await _owner_token(panel, org), org, dry_run)


async def _send(panel: str, token: str, org: OrgFile, dry_run: bool) -> AppliedOrg:
    async with PanelClient(panel, token, timeout=60.0) as client:
        return await client.apply(org, dry_run=dry_run)


async def _owner_token(panel: str, org: OrgFile) -> str:
    """Orgs are created with the installation token, the rest with an owner's (C74). A local stack keeps that token
    among its secrets, so that applying again makes no further one."""
    away = os.environ.get("DW_PANEL_URL")
    installation = os.environ.get("DW_INSTALLATION_TOKEN") or running().product.installation_token()
    owners = [code for code, user in org.users.items() if user.role == "owner"]
    if not owners:
        raise fail("the file names no user with role owner: an org needs one")
    async with PanelClient(panel, installation) as client:
        first = org.users[owners[0]]
        wanted = CreateOrg(
            org=org.org,
            name=org.name,
            owner=owners[0],
            owner_email=first.email,
            owner_name=first.name,
        )
        created = await client.create_org(wanted)
    if not away:
        running().product.keep_token(org.org, created.owner_token)
    verb = "created" if created.created else "a fresh token for its owner"
    console.print(
        f"org {org.org} ({verb}); {owners[0]}'s token, shown once: {created.owner_token}", highlight=False
    )
    return created.owner_token


def _print(applied: AppliedOrg) -> None:
    marks = {"create": "+", "update": "~", "remove": "-", "same": " "}
    for step in applied.plan:
        if step.note:
            console.print(f"! {step.kind} {step.name}  {step.note}", highlight=False, markup=False)
        if step.action == "same":
            continue
        changes = "  ".join(f"{name}: {old!r} -> {new!r}" for name, (old, new) in step.changes.items())
        console.print(
            f"{marks[step.action]} {step.kind} {step.name}  {changes}".rstrip(), highlight=False, markup=False
        )
    same = sum(1 for step in applied.plan if step.action == "same")
    changed = len(applied.plan) - same
    console.print(
        f"{changed} changed, {same} as they were" + (" (dry run: nothing written)" if applied.dry_run else "")
    )
    for title, secrets in (("key", applied.new_keys), ("token of", applied.new_tokens)):
        for name, secret in secrets.items():
            console.print(f"{title} {name}, shown once: {secret}", highlight=False, markup=False)
    for code, channel_id in applied.channels.items():
        console.print(f"channel {code}: {channel_id}", highlight=False)
