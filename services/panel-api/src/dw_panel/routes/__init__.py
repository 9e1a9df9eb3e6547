"""What asks: programs (JSON) and people (pages)."""
