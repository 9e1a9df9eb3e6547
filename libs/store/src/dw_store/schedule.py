"""Turns of scheduled work (C75): an advisory lock that ends with its transaction, so that a process that dies holds
nothing."""

from __future__ import annotations

from typing import Final

from dw_store.database import Tx

RETENTION_LOCK: Final = 4_711_004
PRUNE_LOCK: Final = 4_711_005
TURN = "SELECT pg_try_advisory_xact_lock($1)"


async def take_turn(tx: Tx, lock: int) -> bool:
    """Whether this process may do the work now. False: another one is at it."""
    return bool(await tx.fetchval(TURN, lock))
