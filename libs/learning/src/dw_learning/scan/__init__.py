"""Scans for secrets and for instructions meant for the machine: pure, versioned, cheap where nothing is to find."""

from dw_learning.scan.hits import Hit
from dw_learning.scan.injection import is_rejecting, scan_injection
from dw_learning.scan.redact import inert, redact
from dw_learning.scan.secrets import scan_secrets

SCAN_VERSION = "scan-1"

__all__ = ["SCAN_VERSION", "Hit", "inert", "is_rejecting", "redact", "scan_injection", "scan_secrets"]
