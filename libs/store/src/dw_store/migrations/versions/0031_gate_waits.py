"""What candidates wait for is kept beside them; a soft limit warns of what was spent (C77, G6).

pre: columns with defaults, and a function of the same name and arguments.
"""

from dw_store.migrations.sql import run_file

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    run_file("0031_gate_waits")
