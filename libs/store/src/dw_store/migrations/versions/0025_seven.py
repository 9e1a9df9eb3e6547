"""Tool runs and corrections know the workspace of who caused them.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_file("0025_seven")
