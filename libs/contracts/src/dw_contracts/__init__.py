"""Everything that crosses a service border: events, topics, HTTP models, settings, schemas, examples."""
