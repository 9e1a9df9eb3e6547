"""Settings from the environment, read once. A misspelt DW_ variable is refused with the name that was meant."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from dw_contracts.settings import ServiceSettings, variable_of
from dw_contracts.variables import UnknownVariable, refuse_unknown

S = TypeVar("S", bound=ServiceSettings)


class BadSettings(Exception):
    """Says which variable is wrong and how; never its value."""


def load_settings(cls: type[S], environ: Mapping[str, str] | None = None) -> S:
    """Read `cls` from `environ`, else from the environment of the process. Raises BadSettings."""
    environment = dict(os.environ if environ is None else environ)
    try:
        refuse_unknown(environment)
    except UnknownVariable as error:
        raise BadSettings(str(error)) from None
    values = {
        name: environment[variable]
        for name, field in cls.model_fields.items()
        if environment.get(variable := variable_of(cls, name, field))
    }
    try:
        return cls(**cast(dict[str, Any], values))
    except ValidationError as error:
        raise BadSettings(
            "; ".join(_readable(cls, entry) for entry in error.errors(include_input=False))
        ) from None


def _readable(cls: type[ServiceSettings], entry: Mapping[str, object]) -> str:
    location = entry["loc"]
    name = str(location[0]) if isinstance(location, tuple) and location else ""
    field = cls.model_fields.get(name)
    variable = variable_of(cls, name, field) if field is not None else name
    return f"{variable}: {entry['msg']}"
