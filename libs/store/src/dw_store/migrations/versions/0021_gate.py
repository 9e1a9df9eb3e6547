"""AccessGate: limits, counters, ledger; parked detections; the response cache over stored answers.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    run_file("0021_gate")
