"""W3C trace context, version 00. The sampled flag is all that most records are asked for."""

from __future__ import annotations

from typing import Final

HEADER: Final = "traceparent"
LENGTH: Final = 55
_HEX: Final = frozenset(b"0123456789abcdef")
_ODD: Final = frozenset(b"13579bdf")
_DASHES: Final = (2, 35, 52)
_NO_TRACE: Final = b"0" * 32
_NO_SPAN: Final = b"0" * 16


def is_sampled(value: bytes) -> bool:
    """The lowest flag is set. Says nothing about the rest: `is_well_formed` does."""
    return len(value) == LENGTH and value[54] in _ODD


def is_well_formed(value: bytes) -> bool:
    """Version 00 and ids in lower-case hex, none of them zero."""
    return (
        len(value) == LENGTH
        and value[:2] == b"00"
        and all(value[at] == 45 for at in _DASHES)
        and _HEX.issuperset(value[3:35])
        and _HEX.issuperset(value[36:52])
        and _HEX.issuperset(value[53:])
        and value[3:35] != _NO_TRACE
        and value[36:52] != _NO_SPAN
    )
