"""The first owner of a new org, as the file that makes it names them."""

from __future__ import annotations

import uuid

import pytest
from panel_world import INSTALLATION, World, bearer

pytestmark = pytest.mark.integration


async def test_the_first_owner_of_a_new_org_has_a_name_at_once(acme: World) -> None:
    """Else the file that made the org would change it at its first use, and the log would say that a member changed."""
    wanted = {"org": "initech", "owner": "olga", "owner_name": "Olga"}
    made = (await acme.http.post("/v1/orgs", json=wanted, headers=bearer(INSTALLATION))).json()
    file = {"org": "initech", "users": {"olga": {"name": "Olga", "role": "owner"}}}
    put = await acme.http.put("/v1/orgs/initech/file", json=file, headers=bearer(made["owner_token"]))
    assert [step for step in put.json()["plan"] if step["action"] != "same"] == []
    types = acme.query(
        "SELECT event_type FROM dw_learning_events WHERE org_id = %s", uuid.UUID(made["org_id"])
    )
    assert ("member_changed",) not in types
