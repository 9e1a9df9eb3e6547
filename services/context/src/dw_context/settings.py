"""Settings of context: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import ContextSettings as Settings

__all__ = ["Settings"]
