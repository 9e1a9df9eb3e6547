"""Indexes that fit the look-ups of a batch of decisions.

pre: runs before the code that needs it; unique indexes are made anew, which locks the memories while it lasts.
"""

from dw_store.migrations.sql import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_file("0003_speed")
