"""The dw command."""
