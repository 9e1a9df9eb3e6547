"""The failures of the local stack: each message is for the person at the terminal and says what to do or read."""

from __future__ import annotations


class StackError(Exception):
    """Root of what this package raises on purpose."""


class StartError(StackError):
    """A part did not come up: it ended, or was not ready in time. Carries the end of its log."""


class DownloadError(StackError):
    """A locked file could not be had, or is not the file that was locked."""


class AlreadyRunning(StackError):
    """Another supervisor owns this state folder."""
