"""dw key on a real panel: a secret is said once, by whom it may be, and opens nothing after its end (C46, C74)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import UUID

import httpx
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from dw_cli.key import _revoked
from dw_cli.main import app
from dw_client import PanelClient
from dw_contracts.http.access import RevokedKey
from libs.cli.tests.test_audit_command import panel

pytestmark = pytest.mark.integration
FILE: dict[str, Any] = {
    "org": "acme",
    "users": {"ingrid": {"role": "owner"}, "ada": {"role": "admin"}, "minh": {}},
    "agents": {"it_agent": {}},
    "channels": {"helpdesk": {"platform": "slack", "agents": ["it_agent"]}},
}


class Desk:
    """A terminal beside a panel with an org of three people."""

    def __init__(self, url: str, tokens: dict[str, str]) -> None:
        self.url = url
        self.tokens = tokens

    async def run(self, *args: str, who: str = "ada") -> Any:
        """`dw key …` of one of them, in a thread: it has an event loop of its own."""
        env = {"DW_PANEL_URL": self.url, "DW_TOKEN": self.tokens[who], "COLUMNS": "300"}
        return await asyncio.to_thread(CliRunner().invoke, app, ["key", *args, "--org", "acme"], env=env)

    async def rows(self, *args: str, who: str = "ada") -> list[dict[str, Any]]:
        """What is listed."""
        done = await self.run("list", "--json", *args, who=who)
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    async def listed(self, *args: str, who: str = "ada") -> dict[str, dict[str, Any]]:
        """By name."""
        return {row["name"]: row for row in await self.rows(*args, who=who)}

    async def opens(self, token: str) -> bool:
        """Whether the panel lets its person in."""
        async with httpx.AsyncClient(base_url=self.url) as http:
            answer = await http.get("/v1/orgs/acme/me", headers={"authorization": f"Bearer {token}"})
        return answer.status_code == 200


@pytest.fixture
async def desk(dsn_of: Any) -> AsyncIterator[Desk]:
    async with panel(dsn_of("panel")) as (url, owner):
        async with httpx.AsyncClient(base_url=url, headers={"authorization": f"Bearer {owner}"}) as http:
            applied = (await http.put("/v1/orgs/acme/file", json=FILE)).json()
        yield Desk(url, {"ingrid": owner, **applied["new_tokens"]})


async def test_a_key_is_made_listed_without_its_secret_and_revoked(desk: Desk) -> None:
    made = await desk.run("make", "slack", "--kind", "gateway", "--channel", "helpdesk", "--unproven")
    assert made.exit_code == 0, made.output
    secret = made.stdout.split("shown once: ")[1].strip()
    assert secret.startswith("dw_gw_")
    shown = await desk.run("list")
    assert secret not in shown.output
    assert "gateway  slack  helpdesk  made " in shown.output
    assert "its senders are unproven" in shown.output
    assert (await desk.listed())["slack"]["proves_sender"] is False
    gone = await desk.run("revoke", "slack")
    assert (gone.exit_code, "opens nothing since" in gone.output) == (0, True)
    assert "slack" not in await desk.listed()
    assert (await desk.listed("--revoked"))["slack"]["revoked_at"] is not None


async def test_bare_says_the_secret_alone_and_days_end_it(desk: Desk) -> None:
    made = await desk.run("make", "bot", "--kind", "runtime", "--agent", "it_agent", "--days", "30", "--bare")
    (secret,) = made.stdout.splitlines()
    assert secret.startswith("dw_rt_")
    key = (await desk.listed())["bot"]
    assert (key["agents"], key["expires_at"] > key["created_at"]) == (["it_agent"], True)


async def test_what_does_not_fit_is_refused_in_words_and_makes_nothing(desk: Desk) -> None:
    before = await desk.listed()
    for args, words in (
        (("make", "x", "--kind", "gateway"), "a gateway's key names its channels"),
        (("make", "x", "--kind", "gateway", "--channel", "nowhere"), "channels: no such code: nowhere"),
        (("make", "", "--kind", "runtime"), "name: "),
        (("revoke", "nobody"), "no live key of that name"),
        (("revoke", str(UUID(int=1))), "there is no such key"),
    ):
        done = await desk.run(*args)
        assert (done.exit_code, words in done.output) == (1, True), done.output
    assert (await desk.run("make", "x", "--kind", "runtime", who="minh")).exit_code == 1
    assert await desk.listed() == before


async def test_a_member_makes_and_ends_tokens_of_his_own_alone(desk: Desk) -> None:
    made = await desk.run("token", "laptop", "--bare", who="minh")
    token = made.stdout.strip()
    assert await desk.opens(token)
    assert {row["user"] for row in await desk.rows(who="minh")} == {"minh"}
    others = next(row["id"] for row in await desk.rows() if row["user"] == "ada")
    assert (await desk.run("revoke", others, who="minh")).exit_code == 1
    assert (await desk.run("revoke", "laptop", who="minh")).exit_code == 0
    assert not await desk.opens(token)


async def test_a_name_that_several_have_is_not_guessed(desk: Desk) -> None:
    for _ in range(2):
        assert (await desk.run("token", "phone", who="minh")).exit_code == 0
    done = await desk.run("revoke", "phone", who="minh")
    assert (done.exit_code, "2 have that name, so say which by its id:" in done.output) == (1, True)


async def test_an_answer_that_cannot_be_read_is_not_taken_for_a_name() -> None:
    """The key was ended: nothing is looked for under that id as a name, and another key ended in its place."""

    class Garbled:
        async def revoke_key(self, org: str, key: UUID) -> RevokedKey:
            return RevokedKey.model_validate_json("<html>")

    with pytest.raises(ValidationError):
        await _revoked(cast(PanelClient, Garbled()), "acme", str(UUID(int=1)))
