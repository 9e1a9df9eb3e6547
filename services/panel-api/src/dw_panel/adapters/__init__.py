"""What the use cases rest on: cursors, cookies, templates, headers."""
