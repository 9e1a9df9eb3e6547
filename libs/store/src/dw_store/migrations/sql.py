"""Running SQL files of this package: many statements, one transaction, a lock timeout first (rule 26)."""

from __future__ import annotations

from importlib.resources import files

from alembic import op

LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s'"


def run_file(name: str) -> None:
    """Run `versions/<name>.sql` in the migration's transaction."""
    statements = (files("dw_store.migrations") / "versions" / f"{name}.sql").read_text("utf-8")
    cursor = op.get_bind().connection.cursor()  # the driver's own: statements come without parameters
    try:
        cursor.execute(LOCK_TIMEOUT)
        cursor.execute(statements)
    finally:
        cursor.close()
