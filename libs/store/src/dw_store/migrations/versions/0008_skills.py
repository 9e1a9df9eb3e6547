"""Who proposed a version of a soul; what an imported skill brought beside our keys.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_file("0008_skills")
