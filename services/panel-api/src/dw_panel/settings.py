"""Settings of panel-api: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import PanelSettings as Settings

__all__ = ["Settings"]
