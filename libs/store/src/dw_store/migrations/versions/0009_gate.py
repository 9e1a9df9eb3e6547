"""AccessGate: limits, counters, ledger; parked detections; the response cache over stored answers.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0009"
down_revision = "0005"


def upgrade() -> None:
    run_file("0009_gate")
