"""Settings of channels: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import ChannelsSettings as Settings

__all__ = ["Settings"]
