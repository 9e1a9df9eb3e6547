"""R303: every behaviour is reversible. Each command of the panel names its way back, and those that are taken back as
an act are: a new command cannot be forgotten, and what has no way back says why."""

from __future__ import annotations

import pytest
from on_record import Run
from panel_world import World
from test_every_command_is_on_record import COMMANDS, READS_ON_RECORD

pytestmark = pytest.mark.integration
V1 = "/v1/orgs/{org}"
ITEM, MEMORY, AGENT = f"{V1}/items/{{item_id}}", f"{V1}/memories/{{memory_id}}", f"{V1}/agents/{{agent}}"
KNOWN = "/app/digital-workers/knowledge"
SKILL, SOUL, PAGE = f"{V1}/skills/{{skill_id}}", f"{V1}/souls/{{soul}}", "/app/digital-workers/learning"
AS_AN_ACT = ("POST", f"{V1}/acts/{{act_id}}/undo")
REJECT = ("POST", f"{ITEM}/decision")
# What these do is taken back within moments as an act, and later by an opposite act.
ACTS: set[tuple[str, str]] = {
    ("POST", f"{ITEM}/decision"),
    ("POST", f"{V1}/memories"),
    ("POST", f"{MEMORY}/feedback"),
    ("POST", f"{MEMORY}/supersede"),
    ("POST", f"{MEMORY}/delete"),
    ("POST", f"{MEMORY}/restore"),
    ("POST", f"{MEMORY}/promote"),
    ("DELETE", f"{V1}/tombstones/{{tombstone_id}}"),
}
# Another command that brings about the state before.
OPPOSITES: dict[tuple[str, str], tuple[str, str]] = {
    ("POST", f"{PAGE}/{{item_id}}"): ("POST", f"{PAGE}/acts/{{act_id}}/undo"),
    ("POST", f"{PAGE}/bulk"): ("POST", f"{PAGE}/acts/{{act_id}}/undo"),
    ("POST", f"{PAGE}/acts/{{act_id}}/undo"): ("POST", f"{PAGE}/{{item_id}}"),
    ("POST", f"{KNOWN}/memories/{{memory_id}}"): ("POST", f"{KNOWN}/acts/{{act_id}}/undo"),
    ("POST", f"{KNOWN}/acts/{{act_id}}/undo"): ("POST", f"{KNOWN}/memories/{{memory_id}}"),
    ("POST", f"{KNOWN}/skills/{{skill_id}}"): ("POST", f"{KNOWN}/skills/{{skill_id}}"),
    ("POST", f"{V1}/items/bulk"): AS_AN_ACT,
    AS_AN_ACT: REJECT,
    ("PUT", f"{ITEM}/text"): ("PUT", f"{ITEM}/text"),
    ("PUT", f"{ITEM}/reviewer"): ("PUT", f"{ITEM}/reviewer"),
    ("PUT", f"{ITEM}/claim"): ("DELETE", f"{ITEM}/claim"),
    ("DELETE", f"{ITEM}/claim"): ("PUT", f"{ITEM}/claim"),
    ("PUT", f"{ITEM}/sensitivity"): ("PUT", f"{ITEM}/sensitivity"),
    ("POST", f"{ITEM}/conversion"): ("POST", f"{ITEM}/conversion"),
    ("POST", f"{ITEM}/override"): ("POST", f"{ITEM}/override"),
    ("POST", f"{ITEM}/feedback"): REJECT,
    ("POST", f"{MEMORY}/promotion-proposal"): REJECT,
    ("POST", f"{AGENT}/suggestions"): REJECT,
    ("PUT", f"{AGENT}/mode"): ("PUT", f"{AGENT}/mode"),
    ("POST", f"{AGENT}/pause"): ("POST", f"{AGENT}/resume"),
    ("POST", f"{AGENT}/resume"): ("POST", f"{AGENT}/pause"),
    ("PUT", f"{AGENT}/channels/{{channel}}"): ("DELETE", f"{AGENT}/channels/{{channel}}"),
    ("DELETE", f"{AGENT}/channels/{{channel}}"): ("PUT", f"{AGENT}/channels/{{channel}}"),
    ("PUT", f"{V1}/channels/{{channel}}/learning"): ("PUT", f"{V1}/channels/{{channel}}/learning"),
    ("POST", f"{V1}/rules"): ("DELETE", f"{V1}/rules/{{rule_id}}"),
    ("DELETE", f"{V1}/rules/{{rule_id}}"): ("POST", f"{V1}/rules"),
    ("POST", f"{V1}/agents/{{agent}}/skills"): REJECT,
    ("POST", f"{V1}/agents/{{agent}}/skills/import"): REJECT,
    ("POST", f"{AGENT}/memory-import"): REJECT,
    ("PUT", f"{V1}/agents/{{agent}}/own-skills"): ("PUT", f"{V1}/agents/{{agent}}/own-skills"),
    ("POST", f"{SKILL}/pause"): ("POST", f"{SKILL}/resume"),
    ("POST", f"{SKILL}/resume"): ("POST", f"{SKILL}/pause"),
    ("POST", f"{SKILL}/archive"): ("POST", f"{SKILL}/resume"),
    ("POST", f"{SKILL}/revert"): ("POST", f"{SKILL}/revert"),
    ("PUT", f"{SKILL}/enabled"): ("PUT", f"{SKILL}/enabled"),
    ("POST", f"{V1}/souls"): ("POST", f"{SOUL}/approve"),  # a draft counts for nothing until it is approved
    ("POST", f"{SOUL}/approve"): ("POST", f"{V1}/souls"),
    ("POST", f"{SOUL}/pause"): ("POST", f"{SOUL}/resume"),
    ("POST", f"{SOUL}/resume"): ("POST", f"{SOUL}/pause"),
    ("PUT", f"{V1}/agents/{{agent}}/soul"): ("PUT", f"{V1}/agents/{{agent}}/soul"),
    ("POST", f"{V1}/agents/{{agent}}/soul/pause"): ("POST", f"{V1}/agents/{{agent}}/soul/resume"),
    ("POST", f"{V1}/agents/{{agent}}/soul/resume"): ("POST", f"{V1}/agents/{{agent}}/soul/pause"),
    ("PUT", f"{V1}/file"): ("PUT", f"{V1}/file"),
    ("PUT", f"{V1}/gate/limits"): ("PUT", f"{V1}/gate/limits"),
    ("POST", f"{V1}/identities"): ("POST", f"{V1}/identities/{{identity_id}}/revoke"),
    ("POST", f"{V1}/identities/import"): ("POST", f"{V1}/identities/{{identity_id}}/revoke"),
    ("POST", f"{V1}/identities/{{identity_id}}/verify"): (
        "POST",
        f"{V1}/identities/{{identity_id}}/revoke",
    ),
    ("POST", f"{V1}/identities/{{identity_id}}/revoke"): (
        "POST",
        f"{V1}/identities/{{identity_id}}/verify",
    ),
    ("POST", f"{V1}/me/claims"): ("POST", f"{V1}/claims/{{claim_id}}/revoke"),
    ("POST", f"{V1}/me/claims/{{claim_id}}/answer"): ("POST", f"{V1}/identities/{{identity_id}}/revoke"),
    ("POST", f"{V1}/claims/{{claim_id}}/confirm"): ("POST", f"{V1}/identities/{{identity_id}}/revoke"),
    ("POST", f"{V1}/claims/{{claim_id}}/revoke"): ("POST", f"{V1}/me/claims"),
    ("POST", f"{V1}/me/tokens"): ("POST", f"{V1}/keys/{{key_id}}/revoke"),
    ("PUT", f"{V1}/members/{{code}}"): ("DELETE", f"{V1}/members/{{code}}"),
    ("DELETE", f"{V1}/members/{{code}}"): ("PUT", f"{V1}/members/{{code}}"),
    ("POST", f"{V1}/keys"): ("POST", f"{V1}/keys/{{key_id}}/revoke"),
    ("POST", f"{V1}/keys/{{key_id}}/revoke"): ("POST", f"{V1}/keys"),
    ("POST", "/v1/invitations"): ("DELETE", f"{V1}/members/{{code}}"),
    ("POST", "/sign-in"): ("POST", "/sign-out"),
    ("POST", "/sign-out"): ("POST", "/sign-in"),
}
# By decision: they exist to have none (C8, C72), or take nothing away.
FINAL = {
    ("POST", f"{V1}/erasures"): "a person's right",
    ("POST", f"{V1}/memories/{{memory_id}}/purge"): "what must be gone for good",
    ("POST", f"{V1}/person-exports"): "a copy changes nothing",
    ("POST", "/v1/orgs"): "an org begins",
}


def test_every_command_names_its_way_back() -> None:
    assert ACTS | set(OPPOSITES) | set(FINAL) == set(COMMANDS) - READS_ON_RECORD
    assert set(OPPOSITES.values()) <= set(COMMANDS)
    assert not ACTS & set(OPPOSITES)


@pytest.mark.parametrize("command", sorted(ACTS), ids=" ".join)
async def test_an_act_is_taken_back(acme: World, command: tuple[str, str]) -> None:
    run: Run = COMMANDS[command][0]
    done = (await run(acme)).json()
    for who in ("ada", "farid", "greta"):
        taken = await acme.act(who, "POST", f"/acts/{done['act_id']}/undo")
        if taken.status_code != 403:
            break
    assert taken.status_code == 200, taken.text
    [(undone,)] = acme.query("SELECT undone_at IS NOT NULL FROM dw_acts WHERE id = %s", done["act_id"])
    assert undone
