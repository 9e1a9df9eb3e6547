"""pytest fixtures for real Kafka and PostgreSQL, builders, fakes with contract suites."""
