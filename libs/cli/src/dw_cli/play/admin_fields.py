"""Which fields stand with which `admin do`, and of what kind they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

AdminDo = Literal[
    "mode", "pause_learning", "resume_learning", "promote", "restore", "lift_tombstone", "delete", "supersede",
    "add_memory", "verify_identity", "revoke_identity", "add_rule", "remove_rule", "propose_skill", "revert_skill",
    "pause_skill", "resume_skill", "archive_skill", "propose_soul", "approve_soul", "assign_soul", "pause_soul",
    "resume_soul", "assign_channel", "unassign_channel", "suggest",
]  # fmt: skip

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "auto": (bool,),
    "verified": (bool,),
    "never_again": (bool,),
    "texts": (list, str),
    "priority": (int,),
    "condition": (dict, str),
    "procedure": (list, str),
    "do_not": (list, str),
    "verification": (list, str),
    "base": (int, str),
    "to": (int, str),
}
"""Everything else is text (or a number, where a name looks like one)."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Those that must be there, those that may, and groups of which one must."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()

    def check(self, given: Mapping[str, Any]) -> None:
        """ValueError that begins with the field."""
        known = (*self.required, *self.optional, *self.one_of)
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"{name}: no field here; known are {', '.join(known)}")
            if not isinstance(value, _KINDS.get(name, (str, int, float))):
                raise ValueError(f"{name}: {type(value).__name__} does not fit")
        for name in self.required:
            if name not in given:
                raise ValueError(f"{name}: is missing")
        if self.one_of and not any(name in given for name in self.one_of):
            raise ValueError(f"{self.one_of[0]}: one of {', '.join(self.one_of)} is missing")


_AGENT = Fields(("agent",))
_ON_MEMORY = Fields(("agent", "matching"))
_ON_SKILL = Fields(("agent", "skill"))
_ON_CHANNEL = Fields(("agent", "channel"))
ADMIN_FIELDS: Final[Mapping[str, Fields]] = {
    "mode": Fields(("agent",), ("auto", "verified")),
    "pause_learning": _AGENT,
    "resume_learning": _AGENT,
    "promote": _ON_MEMORY,
    "restore": _ON_MEMORY,
    "lift_tombstone": _ON_MEMORY,
    "delete": Fields(("agent", "matching"), ("never_again",)),
    "supersede": Fields(("agent", "matching", "text")),
    "add_memory": Fields(("texts",), (), ("agent", "scope")),
    "verify_identity": Fields(("identity",)),
    "revoke_identity": Fields(("identity",)),
    "add_rule": Fields(("rule",), ("category", "condition", "action", "priority", "org")),
    "remove_rule": Fields(("rule",), ("org",)),
    "propose_skill": Fields(
        ("agent", "skill"), ("description", "risk", "procedure", "do_not", "verification", "base")
    ),
    "revert_skill": Fields(("agent", "skill", "to")),
    "pause_skill": _ON_SKILL,
    "resume_skill": _ON_SKILL,
    "archive_skill": _ON_SKILL,
    "propose_soul": Fields(("soul",), ("tone", "do_not", "critique")),
    "approve_soul": Fields(("soul",)),
    "assign_soul": Fields(("agent", "soul")),
    "pause_soul": _AGENT,
    "resume_soul": _AGENT,
    "assign_channel": _ON_CHANNEL,
    "unassign_channel": _ON_CHANNEL,
    "suggest": Fields(("agent", "channel", "text")),
}
assert set(ADMIN_FIELDS) == set(get_args(AdminDo))
