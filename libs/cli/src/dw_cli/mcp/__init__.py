"""An MCP server over stdio: what a model may ask of the context service, one role-agent in one channel."""
