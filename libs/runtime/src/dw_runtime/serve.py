"""`python -m dw_x`: settings, logs, and a server that finishes what is in flight when it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import uvicorn
import uvloop

from dw_contracts.settings import ServiceSettings
from dw_runtime.logs import configure_logging
from dw_runtime.settings import BadSettings, load_settings

S = TypeVar("S", bound=ServiceSettings)
GRACE_SECONDS: Final = 3  # for requests; then the batch in flight gets its own time
BAD_SETTINGS: Final = 2


class _Server(uvicorn.Server):
    """Ends with status 0 after SIGTERM: uvicorn would raise the signal once more when all is done."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def spare_the_collector() -> None:
    """What exists now stays; batches make many objects at once that all go again. Worth a tenth of a record's cost."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def serve(create_app: Callable[[S], Any], settings_cls: type[S]) -> None:
    """Run one process until SIGTERM or SIGINT. Bad settings end it with status 2 and one readable line."""
    try:
        settings = load_settings(settings_cls)
        loopback = settings.kafka_bootstrap.startswith(("127.0.0.1:", "localhost:", "[::1]:"))
        configure_logging(settings.service, settings.log_level, settings.log_format, loopback=loopback)
        app = create_app(settings)
    except (BadSettings, ValueError) as error:
        print(f"dw {settings_cls.service}: {error}", file=sys.stderr)  # noqa: T201  # before logs exist
        raise SystemExit(BAD_SETTINGS) from None
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http="httptools",
        access_log=False,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    server = _Server(config)
    spare_the_collector()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(server.serve())
    if not server.started:
        raise SystemExit(1)
