"""Answers BuildAgentContext and SearchAgentHistory."""
