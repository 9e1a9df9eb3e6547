"""PostgreSQL: migrations, repositories, transaction and tenant scope, inbox, outbox."""
