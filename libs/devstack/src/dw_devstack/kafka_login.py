"""Who asks a broker, and where it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KafkaLogin:
    """Where a broker is and who is asking."""

    bootstrap: str
    user: str
    password: str
