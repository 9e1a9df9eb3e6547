"""Proof of an account by its owner, as a browser or program of theirs sees it (C103)."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from panel_world import World, bearer

pytestmark = pytest.mark.integration


async def post(world: World, who: str, path: str, body: Any) -> httpx.Response:
    return await world.http.post(world.path + path, json=body, headers=bearer(world.tokens[who]))


def seen(world: World, claim_id: str, account: str = "U7777", name: str = "Farid on Slack") -> None:
    """What policy writes when the code was posted (its own tests show it)."""
    identity = uuid.uuid4()
    world.query(
        "INSERT INTO dw_external_identities (id, org_id, platform, workspace_ref, external_user_id, user_id)"
        " VALUES (%s, %s, 'slack', 'T1', %s, %s)",
        identity,
        world.org_id,
        account,
        world.ids["farid"],
    )
    world.query(
        "UPDATE dw_identity_claims SET status = 'claimed', identity_id = %s, channel_id = %s, display_name = %s,"
        " claimed_at = now(), expires_at = now() + interval '1 hour' WHERE id = %s",
        identity,
        world.ids["helpdesk"],
        name,
        uuid.UUID(claim_id),
    )


async def test_a_person_sees_which_account_it_is_before_saying_yes(acme: World) -> None:
    started = (await post(acme, "farid", "/me/claims", {"platform": "slack"})).json()
    assert started["code"].startswith("dw-verify-")
    [waiting] = (await acme.get("farid", "/me")).json()["claims"]
    assert (waiting["status"], waiting.get("external_user_id")) == ("open", None)
    early = await post(acme, "farid", f"/me/claims/{started['claim_id']}/answer", {"mine": True})
    assert early.status_code == 409
    seen(acme, started["claim_id"], name="Farid \u202e<b>")
    [claimed] = (await acme.get("farid", "/me")).json()["claims"]
    assert [claimed[k] for k in ("status", "external_user_id", "workspace_ref", "channel")] == [
        "claimed",
        "U7777",
        "T1",
        "helpdesk",
    ]
    assert "\u202e" not in claimed["display_name"]
    mine = (await post(acme, "farid", f"/me/claims/{started['claim_id']}/answer", {"mine": True})).json()
    assert (mine["status"], mine["user"], mine["verify_method"]) == ("verified", "farid", "code")
    me = (await acme.get("farid", "/me")).json()
    assert [i["external_user_id"] for i in me["identities"]] == ["U7777"]
    assert started["code"] not in (await acme.get("farid", "/me")).text


async def test_the_code_stands_in_no_list_log_or_audit(
    acme: World, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (await post(acme, "farid", "/me/claims", {"platform": "slack"})).json()["code"]
    audit = (await acme.get("ada", "/audit")).text
    assert "identity_code_made" in audit
    for text in (audit, (await acme.get("farid", "/me")).text, capsys.readouterr().out):
        assert code not in text
        assert code.removeprefix("dw-verify-") not in text


async def test_nobody_answers_for_somebody_else_or_from_another_org(acme: World, globex: World) -> None:
    started = (await post(acme, "farid", "/me/claims", {"platform": "slack"})).json()
    seen(acme, started["claim_id"])
    path = f"/me/claims/{started['claim_id']}/answer"
    for world, who in ((acme, "ada"), (acme, "ingrid"), (globex, "farid")):
        assert (await post(world, who, path, {"mine": True})).status_code == 404
    assert (await post(acme, "farid", path, {"mine": "true"})).status_code == 422
    assert acme.query("SELECT status FROM dw_external_identities WHERE external_user_id = 'U7777'") == [
        ("pending",)
    ]


async def test_codes_are_five_an_hour(acme: World) -> None:
    for _ in range(5):
        assert (await post(acme, "farid", "/me/claims", {"platform": "slack"})).status_code == 200
    limited = await post(acme, "farid", "/me/claims", {"platform": "slack"})
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "3600")
    assert limited.json()["type"] == "urn:dw:problem:rate-limited"
    assert (await post(acme, "minh", "/me/claims", {"platform": "slack"})).status_code == 200
    assert (await post(acme, "farid", "/me/claims", {"platform": "webhook"})).status_code == 422
