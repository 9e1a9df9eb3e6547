"""alembic's environment: one connection that `dw_store.migrate` hands over, inside its lock."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transaction_per_migration=True, version_table="dw_migrations")
with context.begin_transaction():
    context.run_migrations()
