"""What the context service asks before every reply.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_file("0002_context")
