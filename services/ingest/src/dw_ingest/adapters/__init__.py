"""Where ingest reads keys and bindings."""
