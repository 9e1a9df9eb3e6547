"""Labelled rows in, one dictionary of figures out. Pure but for the clock, which may be given."""
