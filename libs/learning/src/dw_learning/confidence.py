"""How sure a memory is when it begins, by where it comes from (R73, C57): extracted lowest, a rule of the system whole."""

from __future__ import annotations

from typing import Final, Literal

SourceKind = Literal["agent_extracted", "user_confirmed", "admin_manual", "system_rule"]
MOST: Final[dict[SourceKind, float]] = {
    "agent_extracted": 0.9,
    "user_confirmed": 0.9,
    "admin_manual": 0.9,
    "system_rule": 1.0,
}
CONFIRMED: Final = MOST["user_confirmed"]


def initial(source: SourceKind, said: float) -> float:
    """What a source may begin with, 0 to its most. A model that calls itself certain is not believed; what a person or
    the system put there is as sure as its kind, whatever was said."""
    most = MOST[source]
    return min(max(said, 0.0), most) if source == "agent_extracted" else most
