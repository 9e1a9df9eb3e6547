"""Replies do not wait for learning (R27, R28): with triage, detector and policy gone, messages are taken in and packs
are given as before; when they are back, what was said meanwhile is learned."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dw_contracts.http.org_file import OrgFile
from dw_devstack.demo.stage import Org, create
from dw_devstack.stack import Stack
from dw_testkit.stacks import doors_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]
LEARNING = ("triage", "detector", "policy")
BEFORE, MEANWHILE = "The Lisbon office closes at 18:00.", "For everybody: the bike room is called Velo."
FILE = OrgFile.model_validate(
    {
        "org": "still",
        "users": {"olga": {"role": "owner"}, "minh": {}},
        "agents": {"it_agent": {}},
        "identities": {
            "minh": {"platform": "slack", "external_user_id": "U1", "user": "minh", "status": "verified",
                     "workspace_ref": "T-STILL"}
        },
        "channels": {"desk": {"platform": "slack", "agents": ["it_agent"], "workspace_ref": "T-STILL"}},
        "keys": {
            "slack-gateway": {"kind": "gateway", "channels": ["desk"]},
            "runtime": {"kind": "runtime", "agents": ["it_agent"]},
        },
    }
)  # fmt: skip


@contextmanager
def still(stack: Stack) -> Iterator[None]:
    """Nobody learns inside."""
    for service in LEARNING:
        stack.stop_service(service)
    try:
        yield
    finally:
        for service in LEARNING:
            stack.start_service(service)
        for service in LEARNING:
            stack.wait_ready(service)


async def told(org: Org, text: str, seconds: float = 60.0) -> bool:
    """Whether a pack has it, soon enough."""
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        if any(text in memory.text for memory in (await org.pack("desk", message="?")).memories):
            return True
        await asyncio.sleep(0.1)
    return False


async def test_replies_go_out_while_learning_stands_still_and_nothing_that_was_said_is_lost(
    stack: Stack,
) -> None:
    org = await create(doors_of(stack), FILE, "olga")
    await org.say("desk", BEFORE, account="U1")
    assert await told(org, "18:00")
    with still(stack):
        for _ in range(20):
            await org.say("desk", MEANWHILE, account="U1")
            pack = await org.pack("desk", message="When does Lisbon close?")
            assert [memory.text for memory in pack.memories] == [BEFORE]
    assert await told(org, "Velo")
