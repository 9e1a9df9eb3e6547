"""Where the `dw` script begins: a Ctrl-C while Python still imports is no traceback either."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `dw`."""
    try:
        from dw_cli.main import app

        app()
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        sys.exit(130)
