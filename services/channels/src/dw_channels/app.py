"""Composition root of channels: no work at import, nothing global."""

from __future__ import annotations

from starlette.applications import Starlette

from dw_channels.handlers import Comments, parse_comment
from dw_channels.settings import Settings
from dw_contracts.topics import COMMENTS
from dw_runtime import Chassis


def create_app(settings: Settings) -> Starlette:
    """The channels process: reads comments. Platforms, wakeups and routines move in with their issues."""
    chassis = Chassis(settings)
    chassis.consume(COMMENTS, parse_comment, Comments().handle)
    return chassis.app()
