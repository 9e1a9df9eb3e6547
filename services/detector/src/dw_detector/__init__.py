"""Asks a model, through a gate, what a candidate teaches."""
