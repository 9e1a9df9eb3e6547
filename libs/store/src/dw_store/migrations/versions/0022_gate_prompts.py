"""Prompts by version: proposed, approved, active; what was done to them is kept for good (R66).

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_file("0022_gate_prompts")
