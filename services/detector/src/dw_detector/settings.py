"""Settings of detector: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import DetectorSettings as Settings

__all__ = ["Settings"]
