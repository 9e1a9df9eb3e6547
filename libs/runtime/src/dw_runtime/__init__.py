"""The chassis of every process: settings, logs, telemetry, broker, consumer, dead letters, relay, health."""
