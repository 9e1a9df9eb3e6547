"""Children that heed Ctrl-C, whatever the tests were started from."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """For `preexec_fn`: a shell that starts tests in the background hands on that SIGINT is ignored, and a child would
    never hear of it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
