"""Log files of the parts: appended to, moved aside when they have grown, read from the end."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROTATE_BYTES: Final = 10 * 1024 * 1024
KEEP: Final = 3
TAIL_BYTES: Final = 64 * 1024


def rotate(log: Path, limit: int = ROTATE_BYTES, keep: int = KEEP) -> None:
    """If `log` has reached `limit` bytes it becomes `.1`, `.1` becomes `.2`; the oldest of `keep` goes."""
    if not log.exists() or log.stat().st_size < limit:
        return
    for number in range(keep, 1, -1):
        older = _numbered(log, number - 1)
        if older.exists():
            older.replace(_numbered(log, number))
    log.replace(_numbered(log, 1))


def tail(log: Path, lines: int) -> str:
    """The last lines; never more than the last 64 KiB are read."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - TAIL_BYTES))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return "(no log yet)"
    return "\n".join(text.splitlines()[-lines:]) or "(empty)"


def _numbered(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")
