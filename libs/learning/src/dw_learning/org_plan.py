"""From what an org is and what its file says to the changes between (C74). Pure, so that a dry run is the same plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dw_contracts.http.org_file import PlanStep

Kind = Literal["org", "user", "agent", "channel", "identity", "key"]
Row = Mapping[str, Any]
Rows = Mapping[str, Row]
_MODE = ("auto_memory_enabled", "auto_memory_require_verified")
_SETS = ("managers", "agents")
_STAYS_REVOKED = "it was revoked and stays so; active: true makes a new one"


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the org: what it is, None if it is new, and what it will be."""

    kind: Kind
    name: str
    before: Row | None
    after: Row

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of what differs; all of them for a new row."""
        if self.before is None:
            return tuple(self.after)
        return tuple(name for name, value in self.after.items() if self.before.get(name) != value)

    @property
    def is_new(self) -> bool:
        """It stands nowhere yet."""
        return self.before is None

    def gained(self, name: str) -> frozenset[Any]:
        """Members that come into one of its sets."""
        return frozenset(self.after[name]) - self._old(name)

    def lost(self, name: str) -> frozenset[Any]:
        """Members that leave one of its sets."""
        return self._old(name) - frozenset(self.after[name])

    def _old(self, name: str) -> frozenset[Any]:
        return frozenset(self.before[name]) if self.before is not None else frozenset()


def diff(kind: Kind, current: Rows, desired: Rows) -> list[Change]:
    """One for each desired row. What the file does not name is left alone."""
    return [Change(kind, name, current.get(name), row) for name, row in desired.items()]


def step_of(change: Change, names: Mapping[Any, str]) -> PlanStep:
    """A line of the plan. `names` are codes by id: people read those."""
    if change.before is None:
        invited = {"status": ("", "invited")} if change.after.get("status") == "invited" else {}
        return PlanStep(action="create", kind=change.kind, name=change.name, changes=invited)
    changes = values_of(change, names)
    action: Literal["update", "same"] = "update" if changes else "same"
    note = _STAYS_REVOKED if change.kind == "key" and not (changes or change.after["active"]) else ""
    return PlanStep(action=action, kind=change.kind, name=change.name, changes=changes, note=note)


def values_of(change: Change, names: Mapping[Any, str]) -> dict[str, tuple[str, str]]:
    """What differs, before and after, as people read it."""
    before = change.before or {}
    return {
        name: (_shown(before.get(name), names), _shown(change.after[name], names)) for name in change.fields
    }


def _shown(value: Any, names: Mapping[Any, str]) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(sorted(names.get(entry, str(entry)) for entry in value))
    return "" if value is None else names.get(value, str(value))


def touches_roles(changes: Iterable[Change]) -> bool:
    """Does somebody become, stop being, or get shut out as admin or owner? Owners alone do that."""
    return any(
        change.kind == "user"
        and {"role", "status"} & set(change.fields)
        and _is_high(change.before, change.after)
        for change in changes
    )


def _is_high(*rows: Row | None) -> bool:
    return any(row is not None and row["role"] in ("owner", "admin") for row in rows)


def owners_after(current_users: Rows, changes: Iterable[Change]) -> int:
    """Active owners that are left; at least one must be (C73)."""
    users = {row["user_id"]: row for row in current_users.values()}
    users |= {change.after["user_id"]: change.after for change in changes if change.kind == "user"}
    return sum(1 for row in users.values() if row["role"] == "owner" and row["status"] == "active")


def accounts_lost(accounts: Iterable[Row], changes: Sequence[Change]) -> tuple[list[Row], list[Row]]:
    """Accounts that no longer speak for whom they did (C36): those whose change says so, and those that go silently
    with the membership of a removed member (C73). Rows as they were."""
    changed = {
        change.before["id"]: change for change in changes if change.kind == "identity" and change.before
    }
    gone = {c.after["user_id"] for c in changes if c.kind == "user" and c.after["status"] == "removed"}
    said = [change.before for change in changed.values() if change.before is not None and _loses(change)]
    silent = [
        row
        for row in accounts
        if row["id"] not in changed and row["user_id"] in gone and row["status"] != "revoked"
    ]
    return said, silent


def _loses(change: Change) -> bool:
    before, after = change.before or {}, change.after
    if after["status"] == "revoked":
        return bool(before["status"] != "revoked")
    moved = after["status"] != "verified" or after["user_id"] != before["user_id"]
    return bool(before["status"] == "verified" and moved)


def audit_names(change: Change) -> Sequence[tuple[str, tuple[str, ...]]]:
    """Event types of a change with the fields that each is about; C102's names where there is one."""
    fields = change.fields
    if not fields:
        return ()
    match change.kind:
        case "user":
            return ((_member_event(change), fields),)
        case "identity":
            return ((_identity_event(change), fields),)
        case "agent":
            return _agent_events(change)
        case "channel":
            return _channel_events(change)
        case "key" if "active" in fields and not change.is_new:
            return (("key_revoked", fields),)
        case "key" | "org":
            return ((f"{change.kind}_created" if change.is_new else f"{change.kind}_changed", fields),)


def _member_event(change: Change) -> str:
    if change.after["status"] == "removed":
        return "member_removed"
    return "member_added" if change.is_new or "status" in change.fields else "member_changed"


def _identity_event(change: Change) -> str:
    if not {"status", "user_id"} & set(change.fields):
        return "identity_changed"
    names = {"verified": "identity_verified", "revoked": "identity_revoked"}
    return names.get(change.after["status"], "identity_claimed")


def _agent_events(change: Change) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, tuple[str, ...]]] = []
    plain = tuple(f for f in change.fields if f not in (*_MODE, "learning_enabled", "managers"))
    if plain:
        found.append(("agent_created" if change.is_new else "agent_changed", plain))
    mode = tuple(name for name in _MODE if name in change.fields)
    if mode and not change.is_new:
        found.append(("auto_save_mode_changed", mode))
    if "learning_enabled" in change.fields and not (change.is_new and change.after["learning_enabled"]):
        resumed = change.after["learning_enabled"]
        found.append(("learning_resumed" if resumed else "learning_paused", ("learning_enabled",)))
    return found + _set_events(change, "managers", "manager_added", "manager_removed")


def _channel_events(change: Change) -> list[tuple[str, tuple[str, ...]]]:
    plain = tuple(f for f in change.fields if f not in _SETS)
    found = [("channel_created" if change.is_new else "channel_changed", plain)] if plain else []
    return [
        *found,
        *_set_events(change, "agents", "channel_assigned", "channel_unassigned"),
        *_set_events(change, "managers", "manager_added", "manager_removed"),
    ]


def _set_events(change: Change, name: str, added: str, removed: str) -> list[tuple[str, tuple[str, ...]]]:
    events: list[tuple[str, tuple[str, ...]]] = []
    if change.gained(name):
        events.append((added, (name,)))
    if change.lost(name):
        events.append((removed, (name,)))
    return events
