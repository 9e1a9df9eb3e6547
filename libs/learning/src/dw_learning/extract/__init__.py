"""The offline provider's extractor: deterministic, no key, no network, and it never invents."""

from dw_learning.extract.extract import EXTRACT_VERSION, Extracted, extract

__all__ = ["EXTRACT_VERSION", "Extracted", "extract"]
