"""What the inbox and the life of a memory need besides.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_file("0022_inbox")
