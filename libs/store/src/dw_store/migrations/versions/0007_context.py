"""Packs from memory: one number for versions, whole role-agents in one read, runs.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_file("0007_context")
