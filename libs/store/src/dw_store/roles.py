"""Who of the services has a database, and by which login role (C68)."""

from __future__ import annotations

from typing import Final

SERVICES_WITH_DATABASE: Final = ("ingest", "detector", "policy", "context", "panel", "channels")


def role_of(service: str) -> str:
    """The login role of a service."""
    return f"dw_svc_{service}"
