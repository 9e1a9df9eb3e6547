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
    """Read `cls` from `environ` alone, else from the environment of the process. Raises BadSettings.

    An empty variable counts as one that is not set.
    """
    environment = os.environ if environ is None else environ
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
        return _reading_nothing_else(cls).model_validate(values)
    except ValidationError as error:
        lines = (_readable(cls, entry["loc"], entry["msg"]) for entry in error.errors(include_input=False))
        raise BadSettings("; ".join(lines)) from None


def _reading_nothing_else(cls: type[S]) -> type[S]:
    """The same class, with the given values as its only source: pydantic-settings would read the environment again."""

    def init_alone(_cls: Any, /, settings_cls: Any, init_settings: Any, **_: Any) -> tuple[Any, ...]:
        return (init_settings,)

    body = {"__module__": cls.__module__, "settings_customise_sources": classmethod(init_alone)}
    return cast("type[S]", type(cls.__name__, (cls,), body))  # `type` cannot say what it makes


def _readable(cls: type[ServiceSettings], location: tuple[int | str, ...], message: str) -> str:
    name = str(location[0]) if location else ""
    field = cls.model_fields.get(name)
    return f"{variable_of(cls, name, field) if field is not None else name}: {message}"
