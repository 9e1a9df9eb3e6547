"""python -m dw_cli.mcp: `dw mcp` without the rest of dw."""

import typer

from dw_cli.mcp.command import mcp

typer.run(mcp)
