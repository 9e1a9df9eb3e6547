"""Forward-only migrations: SQL files, run by alembic under a lock."""
