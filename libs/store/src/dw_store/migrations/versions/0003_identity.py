"""Proof of accounts by their owners (C103), and marks of items whose source changed (C52).

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0003_identity"
down_revision = "0002"


def upgrade() -> None:
    run_file("0003_identity")
