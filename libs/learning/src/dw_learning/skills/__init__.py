"""Skills: the strict format, which one a message needs, their life. Pure."""
