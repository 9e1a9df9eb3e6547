"""Settings of ingest: declared in contracts, where the settings of all services are known."""

from dw_contracts.settings import IngestSettings as Settings

__all__ = ["Settings"]
