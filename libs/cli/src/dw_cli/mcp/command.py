"""dw mcp: the tools of one role-agent for a model's program, on standard input and output.

`python -m dw_cli.mcp` is the same and starts in a fraction of the time; it wants DW_CONTEXT_URL.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated
from uuid import UUID

import typer

from dw_cli.mcp.serve import read_lines, serve
from dw_cli.mcp.tools import Place, Tools
from dw_client import RuntimeClient
from dw_contracts.http.context import ContextSender


def mcp(
    agent: Annotated[str, typer.Option(help="Id or code of the role-agent.")],
    channel: Annotated[str, typer.Option(help="Our channel id, or the platform's own reference.")],
    key: Annotated[
        str, typer.Option(envvar="DW_RUNTIME_KEY", help="A runtime's key; never in arguments.")
    ] = "",
    url: Annotated[
        str, typer.Option(envvar="DW_CONTEXT_URL", help="Address of context; else the running stack's.")
    ] = "",
    event: Annotated[
        UUID | None, typer.Option(help="The event to be answered; without one nothing is stored at once.")
    ] = None,
    sender: Annotated[str, typer.Option(help="Who wrote it: platform:workspace:account.")] = "",
) -> None:
    """Serve search_agent_history, search_memory, get_context and propose_memory over MCP until the input ends."""
    if not key:
        raise _wrong("set DW_RUNTIME_KEY: a runtime's key, as `dw apply` shows it once")
    if not url:
        raise _wrong("set DW_CONTEXT_URL: where context answers; `dw status` shows it")
    asyncio.run(_serve(url, key, Place(agent, channel, event, _sender(sender))))


async def _serve(url: str, key: str, place: Place) -> None:
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    read_lines(sys.stdin.buffer, asyncio.get_running_loop(), lines)
    async with RuntimeClient(url, key) as runtime:
        tools = Tools(url, place, runtime)
        try:
            await serve(tools, lines, _write)
        finally:
            await tools.close()


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _sender(named: str) -> ContextSender | None:
    if not named:
        return None
    platform, _, rest = named.partition(":")
    workspace, _, account = rest.rpartition(":")
    if not platform or not account:
        raise _wrong("--sender is platform:workspace:account; the workspace may be empty")
    return ContextSender(platform=platform, workspace_ref=workspace, external_user_id=account)


def _wrong(message: str) -> typer.Exit:
    """Standard output is the protocol's alone."""
    typer.echo(message, err=True)
    return typer.Exit(1)
