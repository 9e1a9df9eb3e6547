"""`python -m dw_x`: settings, logs, and a server that finishes what is in flight when it is told to stop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import uvicorn

from dw_contracts.settings import ServiceSettings
from dw_runtime.logs import configure_logging
from dw_runtime.settings import BadSettings, load_settings

S = TypeVar("S", bound=ServiceSettings)
GRACE_SECONDS = 10


def serve(create_app: Callable[[S], Any], settings_cls: type[S]) -> None:
    """Run one process until SIGTERM or SIGINT. Bad settings end it with status 2 and one readable line."""
    try:
        settings = load_settings(settings_cls)
        configure_logging(settings.service, settings.log_level, settings.log_format)
        app = create_app(settings)
    except (BadSettings, ValueError) as error:
        print(f"dw {settings_cls.service}: {error}", file=sys.stderr)  # noqa: T201  # before logs exist
        raise SystemExit(2) from None
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
