"""Decides at no cost which events may teach something."""
