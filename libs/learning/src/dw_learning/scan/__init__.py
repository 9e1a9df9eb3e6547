"""Secrets, injections and hidden text: found before anything is stored, published or shown. Pure."""

from dw_learning.scan.clean import (
    Cleaned,
    Finding,
    Taken,
    clean_steps,
    cleaned,
    examine,
    is_credential,
    shortened,
)
from dw_learning.scan.hits import Hit, is_rejecting, is_secret, merged
from dw_learning.scan.inert import inert
from dw_learning.scan.injection import scan_injection
from dw_learning.scan.redact import placeholders, redact
from dw_learning.scan.secrets import scan_secrets
from dw_learning.scan.slices import scan_long, scan_slices, scan_text

SCAN_VERSION = "scan-6"

__all__ = [
    "SCAN_VERSION",
    "Cleaned",
    "Finding",
    "Hit",
    "Taken",
    "clean_steps",
    "cleaned",
    "examine",
    "inert",
    "is_credential",
    "is_rejecting",
    "is_secret",
    "merged",
    "placeholders",
    "redact",
    "scan_injection",
    "scan_long",
    "scan_secrets",
    "scan_slices",
    "scan_text",
    "shortened",
]
