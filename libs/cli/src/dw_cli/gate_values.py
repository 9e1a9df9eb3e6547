"""Values of the options of dw gate limits: an amount, a number, names, or `none`, which takes the limit away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import typer

from dw_contracts.http.gate import SetGateLimit

MICRO: Final = 1_000_000
MOST_DOLLARS: Final = 10**9
MOST_DIGITS: Final = 15
NONE: Final = "none"
FIELDS: Final = {
    "--daily": "daily_micro_usd",
    "--monthly": "monthly_micro_usd",
    "--soft": "soft_percent",
    "--requests": "requests_per_minute",
    "--tokens": "tokens_per_minute",
    "--in-flight": "max_in_flight",
    "--model": "allowed_models",
    "--region": "allowed_regions",
}


def changes_of(options: Mapping[str, str | list[str] | None]) -> dict[str, Any]:
    """By field of SetGateLimit what is asked for. An option that was not given changes nothing."""
    changes: dict[str, Any] = {}
    for option, value in options.items():
        if value:
            changes[FIELDS[option]] = (
                _names(option, value) if isinstance(value, list) else _number(option, value)
            )
        elif value == "":
            raise _refused(option, "an empty value", "value")
    return changes


def _number(option: str, text: str) -> Any:
    if _is_none(text):  # a warning is at some percent always: then at the usual one
        return SetGateLimit.model_fields[FIELDS[option]].default
    read: Callable[[str], int] = _micro_dollars if option in ("--daily", "--monthly") else _whole
    try:
        return read(text)
    except ValueError as error:
        raise _refused(option, repr(text), str(error)) from None


def _micro_dollars(text: str) -> int:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("nan")
    if not (amount.is_finite() and 0 <= amount <= MOST_DOLLARS):
        raise ValueError(f"amount of US dollars from 0 to {MOST_DOLLARS}, as 2.50")
    micro = amount * MICRO
    if micro != micro.to_integral_value():
        raise ValueError("amount that millionths of a dollar make up")
    return int(micro)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise ValueError("whole number from 0 on")
    return int(text)


def _names(option: str, values: Sequence[str]) -> tuple[str, ...] | None:
    if len(values) == 1 and _is_none(values[0]):
        return None
    for value in values:
        if not value.strip():
            raise _refused(option, "an empty value", "name")
        if _is_none(value):
            raise typer.BadParameter(f"{NONE} stands alone: it takes the list away", param_hint=option)
    return tuple(values)


def _is_none(text: str) -> bool:
    return text.strip().lower() == NONE


def _refused(option: str, given: str, wanted: str) -> typer.BadParameter:
    return typer.BadParameter(f"{given} is no {wanted}; {NONE} takes the limit away", param_hint=option)
