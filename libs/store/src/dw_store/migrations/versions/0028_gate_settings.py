"""Where models work, as a limit; and a record of the settings that models are called under (G20, G33).

pre: the function keeps its name and arguments; a detector that names no region is asked as before.
"""

from dw_store.migrations.sql import run_file

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    run_file("0028_gate_settings")
