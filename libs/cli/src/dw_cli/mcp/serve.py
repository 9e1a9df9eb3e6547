"""Lines in, lines out. Requests run beside each other; at the end of the input those under way are still answered."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, Final

from dw_cli.mcp.protocol import Toolbox, answer
from dw_cli.mcp.wire import (
    INTERNAL_ERROR,
    MAX_LINE_BYTES,
    Message,
    RequestId,
    WireError,
    error_line,
    read_message,
    result_line,
)

DRAIN_SECONDS: Final = 30.0
MAX_AT_ONCE: Final = 16
Write = Callable[[bytes], None]


async def serve(tools: Toolbox, lines: asyncio.Queue[bytes | None], write: Write) -> None:
    """Until the end of the input (None)."""
    under_way: dict[RequestId, asyncio.Task[None]] = {}
    places = asyncio.Semaphore(MAX_AT_ONCE)
    while (line := await lines.get()) is not None:
        if not line.strip():
            continue
        try:
            message = read_message(line)
        except WireError as error:
            write(error_line(error.id_, error))
            continue
        if message is None:
            continue
        if message.id is None:
            _notified(message, under_way)
            continue
        task = asyncio.create_task(_answer(message, message.id, tools, write, places))
        under_way[message.id] = task
        task.add_done_callback(partial(_ended, message, under_way, write))
    if under_way:
        await asyncio.wait(under_way.values(), timeout=DRAIN_SECONDS)


def read_lines(source: BinaryIO, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None]) -> None:
    """In a daemon thread: a read that waits must not keep the process from ending."""

    def read() -> None:
        while line := source.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                while rest := source.readline(MAX_LINE_BYTES):
                    if rest.endswith(b"\n"):
                        break
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True, name="mcp-stdin").start()


def _notified(message: Message, under_way: dict[RequestId, asyncio.Task[None]]) -> None:
    if message.method == "notifications/cancelled":
        wanted = message.params.get("requestId")
        task = under_way.get(wanted) if isinstance(wanted, str | int) else None
        if task is not None:
            task.cancel()


def _ended(
    message: Message, under_way: dict[RequestId, asyncio.Task[None]], write: Write, done: asyncio.Task[None]
) -> None:
    """A bug is answered too: which kind goes to the log, and nothing of what was said."""
    if message.id is not None and under_way.get(message.id) is done:
        del under_way[message.id]
    if not done.cancelled() and (bug := done.exception()) is not None:
        sys.stderr.write(f"mcp: {message.method}: {type(bug).__name__}\n")
        write(error_line(message.id, WireError(INTERNAL_ERROR, "a fault of this server; its log names it")))


async def _answer(
    message: Message, id_: RequestId, tools: Toolbox, write: Write, places: asyncio.Semaphore
) -> None:
    try:
        async with places:
            line = result_line(id_, await answer(message, tools))
    except WireError as error:
        line = error_line(id_, error)
    write(line)
