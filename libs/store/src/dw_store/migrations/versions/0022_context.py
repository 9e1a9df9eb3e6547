"""Packs know their run and their prompt; uses of memories by run; notes of one run.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_file("0022_context")
