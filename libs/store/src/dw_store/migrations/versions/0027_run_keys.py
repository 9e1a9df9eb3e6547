"""A run ends with the key that started it.

pre: the column may be empty: runs of before end by their own time.
"""

from dw_store.migrations.sql import run_file

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    run_file("0027_run_keys")
