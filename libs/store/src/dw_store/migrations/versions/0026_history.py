"""History search that stays quick with many messages: terms that stand nearly everywhere are not looked up.

pre: the function keeps its name and arguments.
"""

from dw_store.migrations.sql import run_file

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    run_file("0026_history")
