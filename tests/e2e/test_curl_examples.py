"""docs/curl.md, run from top to bottom on a real stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dw_client import PanelClient
from dw_contracts.http.org_file import CreateOrg, OrgFile
from dw_devstack.stack import Stack
from dw_testkit.documented import examples_of, run_document

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "curl.md").read_text("utf-8")


def taken(answer: Any) -> dict[str, str]:
    """What the document says to keep from an answer."""
    if "events" in answer and answer.get("status") == "accepted" and isinstance(answer["events"][0], dict):
        return {"EVENT_NEW": answer["events"][0]["event_id"]}
    if "token" in answer:
        return {"RUN_TOKEN": answer["token"], "MEMORY": answer["memory"]}
    return {"ITEM": answer["items"][0]["id"]} if answer.get("items") else {}


async def test_every_command_of_the_document_does_what_it_says(stack: Stack) -> None:
    where = stack.addresses
    file = OrgFile.model_validate(yaml.safe_load((ROOT / "examples" / "acme.yaml").read_text("utf-8")))
    async with PanelClient(where.url("panel"), stack.product.installation_token()) as installation:
        created = await installation.create_org(CreateOrg(org=file.org, name=file.name, owner="ingrid"))
    async with PanelClient(where.url("panel"), created.owner_token) as owner:
        applied = await owner.apply(file)
    variables = {
        "INGEST": where.url("ingest"),
        "CONTEXT": where.url("context"),
        "PANEL": where.url("panel"),
        "GATEWAY_KEY": applied.new_keys["slack-gateway"],
        "RUNTIME_KEY": applied.new_keys["runtime"],
        "TOKEN": created.owner_token,
    }
    first: dict[str, str] = {}

    def take(answer: Any) -> dict[str, str]:
        found = taken(answer)
        first.setdefault("EVENT", found.pop("EVENT_NEW", ""))
        return found | first

    assert len(examples_of(DOCUMENT)) >= 12
    assert await run_document(DOCUMENT, variables, take) == []
