"""Settings of triage: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import TriageSettings as Settings

__all__ = ["Settings"]
