"""Claims of accounts in admins' hands: what waits, what is proved, confirmed or revoked (C103)."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from panel_world import World, bearer
from test_claims_http import post, seen

pytestmark = pytest.mark.integration
ACCOUNT = "SELECT status, user_id, verify_method FROM dw_external_identities WHERE external_user_id = 'U7777'"


async def started(world: World, *, posted: bool = True) -> str:
    claim = str((await post(world, "farid", "/me/claims", {"platform": "slack"})).json()["claim_id"])
    if posted:
        seen(world, claim, name="Farid \u202eon Slack")
    return claim


async def act(world: World, who: str, claim: str, what: str) -> Any:
    url = f"{world.path}/claims/{claim}/{what}"
    return await world.http.post(url, headers=bearer(world.tokens[who]))


async def listed(world: World, **filters: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await world.get("ada", "/claims", **filters)).json()["claims"]
    return found


async def test_admins_see_who_claims_which_account_and_what_is_proved(acme: World) -> None:
    claim = await started(acme, posted=False)
    [waiting] = await listed(acme)
    assert (waiting["member"], waiting["status"], waiting["proof"]) == ("farid", "open", "none")
    seen(acme, claim, name="Farid \u202eon Slack")
    [waiting] = await listed(acme)
    assert {name: waiting[name] for name in ("claim_id", "status", "proof", "external_user_id", "channel")} == {
        "claim_id": claim, "status": "claimed", "proof": "code_seen", "external_user_id": "U7777", "channel": "helpdesk",
    }  # fmt: skip
    assert (waiting["account_status"], waiting["account_member"]) == ("pending", "farid")
    assert waiting["display_name"] == "Farid on Slack"
    acme.query("UPDATE dw_identity_claims SET expires_at = now() - interval '1 minute'")
    assert await listed(acme) == []
    assert [found["proof"] for found in await listed(acme, status="any")] == ["expired"]
    assert (await act(acme, "ada", claim, "confirm")).status_code == 409


async def test_an_admin_confirms_what_was_proved_once(acme: World) -> None:
    claim = await started(acme)
    done = (await act(acme, "ada", claim, "confirm")).json()
    assert (done["status"], done["proof"], done["account_status"]) == ("confirmed", "confirmed", "verified")
    assert acme.query(ACCOUNT) == [("verified", acme.ids["farid"], "admin")]
    assert "identity_verified" in acme.audit()
    assert (await act(acme, "ada", claim, "confirm")).status_code == 409
    assert (await act(acme, "ada", claim, "revoke")).status_code == 409
    [mine] = (await acme.get("farid", "/me")).json()["identities"]
    assert mine["external_user_id"] == "U7777"


async def test_without_a_code_that_was_seen_nothing_is_confirmed(acme: World) -> None:
    claim = await started(acme, posted=False)
    assert (await act(acme, "ada", claim, "confirm")).status_code == 409


async def test_what_is_verified_for_somebody_else_stays_theirs(acme: World) -> None:
    claim = await started(acme)
    acme.query(
        "UPDATE dw_external_identities SET status = 'verified', user_id = %s, verified_at = now()"
        " WHERE external_user_id = 'U7777'",
        acme.ids["greta"],
    )
    assert (await act(acme, "ada", claim, "confirm")).status_code == 409
    assert acme.query(ACCOUNT)[0][1] == acme.ids["greta"]
    assert (await act(acme, "ada", claim, "revoke")).status_code == 200
    assert acme.query(ACCOUNT)[0][:2] == ("verified", acme.ids["greta"])


async def test_a_revoked_claim_opens_nothing_and_its_account_is_nobodys(acme: World) -> None:
    claim = await started(acme)
    done = (await act(acme, "ada", claim, "revoke")).json()
    assert (done["status"], done["proof"], done.get("account_member")) == ("void", "ended", None)
    assert acme.query(ACCOUNT) == [("pending", None, None)]
    answer = await post(acme, "farid", f"/me/claims/{claim}/answer", {"mine": True})
    assert answer.status_code == 409
    [(before, after)] = acme.query(
        "SELECT b.before, b.after FROM dw_learning_events AS e JOIN dw_event_bodies AS b USING (org_id, event_id)"
        " WHERE e.event_type = 'identity_claim_refused'"
    )
    assert (before, after["claim"], after["member"]) == ({"claim": "claimed"}, "void", "farid")


async def test_only_admins_of_the_org_and_only_its_claims(acme: World, globex: World) -> None:
    claim = await started(acme)
    assert (await acme.get("farid", "/claims")).status_code == 403
    for what in ("confirm", "revoke"):
        assert (await act(acme, "farid", claim, what)).status_code == 403
        assert (await act(globex, "ada", claim, what)).status_code == 404
        assert (await act(acme, "ada", str(uuid.uuid4()), what)).status_code == 404
    assert (await globex.get("ada", "/claims")).json()["claims"] == []
    assert acme.query(ACCOUNT)[0][0] == "pending"
