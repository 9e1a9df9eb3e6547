"""Carries replies out; home of wakeups, runs and routines."""
