"""One-command local stack without Docker: Apache Kafka, PostgreSQL, all services as child processes, the demo."""
