"""What detectors called models under: models, prices and bounds of the installation, by change (G33)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from dw_store.database import Database

LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('dw_gate_settings', 0))"
NEW: Final = """
INSERT INTO dw_gate_settings (before, after, at)
SELECT last.after, $1::jsonb, $2
FROM (SELECT 1) AS one
LEFT JOIN (SELECT s.after FROM dw_gate_settings AS s ORDER BY s.place DESC LIMIT 1) AS last ON TRUE
WHERE last.after IS DISTINCT FROM $1::jsonb
"""
CHANGES: Final = """
SELECT s.place, s.before, s.after, s.at FROM dw_gate_settings AS s ORDER BY s.place DESC LIMIT $1
"""


async def record_settings(database: Database, settings: Mapping[str, Any], now: datetime) -> bool:
    """Keep them with what was in force before; False where nothing changed since the last that is on record."""
    async with database.system() as tx:
        await tx.execute(LOCK)
        return (await tx.execute(NEW, dict(settings), now)).endswith(" 1")


async def settings_changes(database: Database, limit: int = 100) -> list[dict[str, Any]]:
    """place, before, after and at of each change, the latest first. `before` of the first is None."""
    return [dict(row) for row in await database.fetch(CHANGES, limit)]
