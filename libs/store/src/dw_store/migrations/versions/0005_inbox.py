"""The Learning Inbox and the life of a memory: steps that a table refuses, claims, undo.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_file("0005_inbox")
