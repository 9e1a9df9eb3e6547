"""Decides what is saved, proposed or refused, and writes it."""
