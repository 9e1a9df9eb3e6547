"""Loopback ports: the usual one, or the next that is free."""

from __future__ import annotations

import socket
from collections.abc import Container
from typing import Final

from dw_devstack.port_claims import PortClaims

LOOPBACK: Final = "127.0.0.1"
TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether a server could listen there now (a port that only waits out old connections counts as free)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def is_listening(port: int, timeout: float = 0.5) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(timeout)
        return probe.connect_ex((LOOPBACK, port)) == 0


def choose_port(default: int, taken: Container[int] = (), claims: PortClaims | None = None) -> int:
    """`default` if free and not in `taken`, else the next such port. 0 asks the system for any free one. With `claims`
    it is promised: no other stack chooses it."""
    if default == 0:
        candidates = (any_port(taken) for _ in range(TRIES))
    else:
        usual = range(default, min(default + TRIES, 65536))
        candidates = (port for port in usual if port not in taken)
    for port in candidates:
        if claims is not None and not claims.claim(port):
            continue
        if is_free(port):
            return port
        if claims is not None:
            claims.release(port)
    raise OSError(f"no free port on {LOOPBACK} from {default} on")


def any_port(taken: Container[int] = ()) -> int:
    for _ in range(TRIES):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind((LOOPBACK, 0))
            port: int = probe.getsockname()[1]
        if port not in taken:
            return port
    raise OSError(f"no free port on {LOOPBACK}")
