"""Settings of policy: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import PolicySettings as Settings

__all__ = ["Settings"]
