"""dw trace of an event that is parked: bare bars would not say why nothing came of it (C77, G12)."""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from dw_cli.trace import _waiting
from dw_testkit.orgs import create_small_org

pytestmark = pytest.mark.integration
PARK = """
INSERT INTO dw_deferred (
    org_id, decision_id, role_agent_id, candidate, reason, scope, parked_at, due_at, resets_at, expires_at
) VALUES (%s, %s, %s, '{}', %s, %s, '2026-11-30 12:00Z', now(), %s, '2026-12-02 12:00Z')
"""


async def test_it_says_what_the_event_waits_for_or_what_the_first_of_its_agent_does(dsn_of: Any) -> None:
    org = create_small_org(dsn_of("admin"))
    first, behind, nowhere = (uuid.uuid4() for _ in range(3))
    with psycopg.connect(dsn_of("admin")) as connection:
        connection.execute(
            PARK, (org.org_id, first, org.agent_id, "daily_budget", "org", "2026-12-01 00:00Z")
        )
        connection.execute(PARK, (org.org_id, behind, org.agent_id, "behind", "", None))
    product = SimpleNamespace(admin_dsn=lambda port: dsn_of("admin"))
    local: Any = SimpleNamespace(product=product, state=SimpleNamespace(postgres_port=0))
    said = [
        "parked since 12:00:00 UTC: org: the day's budget is used up; until 2026-12-01 00:00 UTC, or until somebody changes "
        "the limit; it ends without items at 2026-12-02 12:00 UTC"
    ]
    assert _waiting(local, first) == _waiting(local, behind) == said
    assert _waiting(local, nowhere) == []
