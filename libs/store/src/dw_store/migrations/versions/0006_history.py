"""History search by the application's own terms: rarest first, threads as one.

pre: runs before the code that needs it. Messages kept before it are found again after `dw history reindex`.
"""

from dw_store.migrations.sql import run_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_file("0006_history")
