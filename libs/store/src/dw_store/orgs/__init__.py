"""An org's own rows: people, agents, channels, accounts, keys; read, planned and written as one file (C74)."""
