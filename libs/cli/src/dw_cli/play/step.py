"""What the step types of a story have in common."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from dw_cli.play.expect import ANSWERS, STORED, Expect

Reference = tuple[str, str]
"""A kind (agent, channel, identity, user, org) and the name that the story uses for it."""


class Part(BaseModel):
    """Frozen and strict: a misspelt field is an error. Numbers become text where text is meant."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        coerce_numbers_to_str=True,
        arbitrary_types_allowed=True,
    )


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str | int | float) and not isinstance(value, bool) else value


def _expected(value: Any) -> Any:
    return Expect.parse(str(value)) if not isinstance(value, Expect) else value


def expected_of_memory(value: Any) -> Any:
    """Of a PUT: stored, proposed and rejected are answers too."""
    return Expect.parse(str(value), (*ANSWERS, *STORED)) if not isinstance(value, Expect) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Expected = Annotated[Expect, BeforeValidator(_expected)]


class Step(Part):
    """What all steps have: whom and what they name, for a check against the setup."""

    type_name: ClassVar[str] = ""
    scalar: ClassVar[str] = ""  # the field that stands for the step where no mapping is given

    def references(self) -> list[Reference]:
        """Names that must stand in the setup."""
        return []
