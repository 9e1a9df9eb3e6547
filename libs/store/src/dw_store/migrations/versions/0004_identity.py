"""Proof of accounts by their owners (C103), and marks of items whose source changed (C52).

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_file("0004_identity")
