"""A process that ends itself, because something in it never returns."""

from __future__ import annotations

import os
import signal
import threading
from typing import Final

LAST_SECONDS: Final = 8.0
"""What stopping in order may take. More than a batch in flight gets, less than a supervisor waits before it kills."""


def end_process() -> None:
    """SIGTERM to this very process, and its end after LAST_SECONDS, whatever holds it up: what hung before may hang
    again while it is stopped. A thread sees to it, since the event loop may be what hangs. Status 1: it is started anew."""
    timer = threading.Timer(LAST_SECONDS, os._exit, args=(1,))
    timer.daemon = True
    timer.start()
    os.kill(os.getpid(), signal.SIGTERM)
