"""Why an org file is not applied. Nothing of its transaction is kept."""

from __future__ import annotations

from dw_contracts.http.problem import FieldError


class LastOwner(Exception):
    """The change would leave the org without an active owner (C73)."""


class OwnersOnly(Exception):
    """The change touches who is admin or owner, and an admin asked for it."""


class BadFile(Exception):
    """The file asks for what cannot be. Says where."""

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        super().__init__("; ".join(f"{error.at}: {error.problem}" for error in errors))
        self.errors = errors


class OrgConflict(Exception):
    """Something that has to be unique is somebody else's: named by the constraint that said so."""
