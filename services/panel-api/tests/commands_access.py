"""Commands about accounts, claims, members, keys and tokens, for test_every_command_is_on_record."""

from __future__ import annotations

from typing import Any

import httpx
from on_record import Commands, Run, send
from panel_world import World
from test_claims_http import seen
from test_identities import ACCOUNT, minhs, send_csv

CSV = "platform,workspace_ref,external_user_id,user\nslack,T1,U5,farid\n"


def call(who: str, method: str, path: str, **body: Any) -> Run:
    async def run(world: World) -> httpx.Response:
        return await send(world, who, method, path, body)

    return run


async def import_accounts(world: World) -> httpx.Response:
    return await send_csv(world, "ada", CSV)


async def verify(world: World) -> httpx.Response:
    mapped = (await send(world, "ada", "POST", "/identities", ACCOUNT | {"user": "farid"})).json()
    return await send(world, "ada", "POST", f"/identities/{mapped['id']}/verify", {"reason": "his badge"})


async def revoke(world: World) -> httpx.Response:
    """What the account taught is marked and reviewed: on record with it."""
    known = minhs(world)
    world.memory("Invoices go to pay@acme.example.", risk="high", sender_identity_id=known)
    world.item(sender_identity_id=known, sender_verified=True)
    return await send(world, "ada", "POST", f"/identities/{known}/revoke", {"reason": "phone lost"})


def answer(*, mine: bool) -> Run:
    async def run(world: World) -> httpx.Response:
        claim = (await send(world, "farid", "POST", "/me/claims", {"platform": "slack"})).json()["claim_id"]
        seen(world, claim)
        return await send(world, "farid", "POST", f"/me/claims/{claim}/answer", {"mine": mine})

    return run


def end_claim(what: str) -> Run:
    async def run(world: World) -> httpx.Response:
        claim = (await send(world, "farid", "POST", "/me/claims", {"platform": "slack"})).json()["claim_id"]
        seen(world, claim)
        return await send(world, "ada", "POST", f"/claims/{claim}/{what}")

    return run


async def remove_member(world: World) -> httpx.Response:
    """With a manager's role, an account, a token and an item in hand."""
    world.item(assigned_to=world.ids["minh"])
    return await send(world, "ada", "DELETE", "/members/minh")


async def revoke_key(world: World) -> httpx.Response:
    keys = (await world.get("ada", "/keys", limit=200)).json()["keys"]
    gateway = next(key["id"] for key in keys if key["name"] == "gateway")
    return await send(world, "ada", "POST", f"/keys/{gateway}/revoke")


KEY = {"name": "second gateway", "kind": "gateway", "channels": ["people"]}
OF_ORG = "/v1/orgs/{org}"
ACCESS: Commands = {
    ("POST", f"{OF_ORG}/identities"): (
        call("ada", "POST", "/identities", **ACCOUNT, user="farid"),
        "identity_claimed",
    ),
    ("POST", f"{OF_ORG}/identities/import"): (import_accounts, "identity_claimed"),
    ("POST", f"{OF_ORG}/identities/{{identity_id}}/verify"): (verify, "identity_verified"),
    ("POST", f"{OF_ORG}/identities/{{identity_id}}/revoke"): (revoke, "identity_revoked"),
    ("POST", f"{OF_ORG}/me/claims"): (
        call("farid", "POST", "/me/claims", platform="slack"),
        "identity_code_made",
    ),
    ("POST", f"{OF_ORG}/me/claims/{{claim_id}}/answer"): (answer(mine=True), "identity_verified"),
    ("POST", f"{OF_ORG}/claims/{{claim_id}}/confirm"): (end_claim("confirm"), "identity_verified"),
    ("POST", f"{OF_ORG}/claims/{{claim_id}}/revoke"): (end_claim("revoke"), "identity_claim_refused"),
    ("POST", f"{OF_ORG}/me/tokens"): (call("farid", "POST", "/me/tokens", name="laptop"), "key_created"),
    ("PUT", f"{OF_ORG}/members/{{code}}"): (call("ada", "PUT", "/members/nora", name="Nora"), "member_added"),
    ("DELETE", f"{OF_ORG}/members/{{code}}"): (remove_member, "member_removed"),
    ("POST", f"{OF_ORG}/keys"): (call("ada", "POST", "/keys", **KEY), "key_created"),
    ("POST", f"{OF_ORG}/keys/{{key_id}}/revoke"): (revoke_key, "key_revoked"),
}


# The other ways in which the same routes can end.
MORE_OF_ACCESS: dict[str, tuple[Run, str]] = {
    "say that it is not mine": (answer(mine=False), "identity_claim_refused"),
    "change a member": (call("ingrid", "PUT", "/members/greta", role="admin"), "member_changed"),
}
