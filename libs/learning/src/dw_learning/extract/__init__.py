"""The offline provider's extractor: deterministic, no key, no network, and it never invents."""

from dw_learning.extract.extract import EXTRACT_VERSION, extract
from dw_learning.extract.item import Extracted, Kind

__all__ = ["EXTRACT_VERSION", "Extracted", "Kind", "extract"]
