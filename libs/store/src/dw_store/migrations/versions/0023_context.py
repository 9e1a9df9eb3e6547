"""Packs know their run and their prompt; uses of memories by run; notes of one run.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    run_file("0023_context")
