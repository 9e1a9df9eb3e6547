"""What the inbox and the life of a memory need besides.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    run_file("0024_inbox")
