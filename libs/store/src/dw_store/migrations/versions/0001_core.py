"""The core tables, row-level security from the first day, roles' rights.

pre: runs before the code that needs it.
"""

from dw_store.migrations.sql import run_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    for name in ("0001_orgs", "0001_learning", "0001_pipeline", "0001_security", "0001_functions"):
        run_file(name)
