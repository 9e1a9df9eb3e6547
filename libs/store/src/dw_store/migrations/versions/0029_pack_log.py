"""The record of packs is written behind every reply: what costs more than it keeps goes.

pre: no column and no key changes its name.
"""

from dw_store.migrations.sql import run_file

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    run_file("0029_pack_log")
