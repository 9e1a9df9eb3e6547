"""The chain of the audit log, erasure, retention, repeated corrections, tries of the outbox.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0020"
down_revision = "0008"


def upgrade() -> None:
    run_file("0020_audit")
    run_file("0020_eraser")
