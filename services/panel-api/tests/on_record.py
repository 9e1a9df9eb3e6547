"""What has happened to be on record since: shared by the families of commands and the test that walks them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
from panel_world import World, bearer

Run = Callable[[World], Awaitable[httpx.Response]]
# Method and path of a command, how to run it, and one event that it must write.
Commands = dict[tuple[str, str], tuple[Run, str]]
EVENTS = """
SELECT e.event_type, e.actor_type, e.actor_id, e.on_behalf_of, b.before, b.after
FROM dw_learning_events AS e JOIN dw_event_bodies AS b USING (org_id, event_id)
WHERE e.id > %s ORDER BY e.id
"""
# What begins with the event had no state before it. Everything else says both.
BEGINNINGS = frozenset(
    "memory_auto_saved memory_saved learning_proposed skill_activated org_created owner_token_created key_created "
    "member_added agent_created channel_created identity_verified identity_claimed manager_added channel_assigned "
    "export_done person_erased self_approved evidence_added source_deleted source_edited secret_blocked "
    "injection_blocked cap_reached draft_requested identity_code_made soul_version_proposed".split()
)


def last(world: World) -> int:
    """The newest event's number."""
    return int(world.query("SELECT coalesce(max(id), 0) FROM dw_learning_events")[0][0])


def complete(world: World, after_id: int) -> list[str]:
    """The events since, each of which says all that it must."""
    rows = world.query(EVENTS, after_id)
    for kind, actor_type, actor_id, on_behalf_of, before, after in rows:
        assert actor_id, kind
        if actor_type == "user":
            assert str(on_behalf_of) == actor_id, kind
        assert after is not None, kind
        assert before is not None or kind in BEGINNINGS or _is_part_of_a_file(kind), kind
    return [row[0] for row in rows]


def _is_part_of_a_file(kind: str) -> bool:
    """An org file adds what was not there: the fields that had no value have none before."""
    return kind in ("member_changed", "manager_removed")


async def send(world: World, who: str, method: str, path: str, body: Any = None) -> httpx.Response:
    """One of the org's routes of /api, as this person."""
    headers = bearer(world.tokens[who])
    return await world.http.request(method, world.path + path, json=body, headers=headers)


async def decided(world: World, action: str = "approve", **fields: Any) -> tuple[UUID, str]:
    """An item that Farid decided, and his act."""
    item = world.item(**fields)
    answer = await world.decide("farid", item, action)
    assert answer.status_code == 200, answer.text
    return item, str(answer.json()["act_id"])
