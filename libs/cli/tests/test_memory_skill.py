"""The memory skill: its examples against a real service, its format, and life without it (R183, R193)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from dw_client import AgentClient, RuntimeClient, search_agent_history_tool
from dw_client.shipped import shipped_skill, shipped_skills
from dw_contracts.http.agent_memory import MemoryAnswer, MemoryEntry, PutMemory, StartRun
from dw_contracts.http.context import BuildContextRequest
from dw_learning import scan
from dw_learning.skills.folder import Imported, import_skill
from dw_testkit.documented import examples_of, misfits, run_example
from dw_testkit.serving import INSTALLATION, ContextService, DsnOf, serving_context, serving_panel

SAID = "The Lisbon office closes at 18:00 on Fridays."
SKILL = shipped_skill("agent-memory")


@pytest.fixture
async def context(dsn_of: DsnOf) -> AsyncIterator[ContextService]:
    async with serving_context(dsn_of) as service:
        yield service


@pytest.mark.integration
async def test_every_example_of_the_skill_does_what_the_skill_says(
    context: ContextService, tmp_path: Path
) -> None:
    event = await context.said(SAID)
    async with RuntimeClient(context.url, context.key) as runtime:
        asked = StartRun(role_agent="it_agent", channel="helpdesk", event_id=event.event_id)
        run = await runtime.start_run(asked)
    header = tmp_path / "header"
    header.write_text(f"Authorization: Bearer {run.token}\n")
    variables = {"MEMORY_URL": context.url + run.memory, "RUN_HEADER": str(header)}
    examples = examples_of(SKILL)
    assert len(examples) == 6
    for example in examples:
        came = await run_example(example, variables)
        assert misfits(example.answer, came) == [], (example.command, came)
        if came.get("status") == "stored":
            variables["ENTRY"] = came["memory_id"]


def test_the_skill_names_every_field_and_every_status_of_the_api() -> None:
    for field in (*PutMemory.model_fields, *MemoryEntry.model_fields, *MemoryAnswer.model_fields):
        assert f"`{field}`" in SKILL or f'"{field}"' in SKILL, field
    for status in ("stored", "proposed", "rejected", "deleted", "401", "403", "404", "422", "429", "503"):
        assert status in SKILL, status


def test_the_skill_keeps_the_public_format_and_passes_our_own_import() -> None:
    assert shipped_skills() == ("agent-memory",)
    found = import_skill(SKILL, ("agent-memory/SKILL.md",), "hr_agent")
    assert isinstance(found, Imported), found
    assert (found.document.name, found.document.agent, found.stripped) == ("agent-memory", "hr_agent", ())
    assert all(found.document.sections)
    assert not scan.examine(SKILL).is_refused


@pytest.mark.integration
async def test_with_the_skill_approved_a_pack_that_calls_for_it_has_it(dsn_of: DsnOf) -> None:
    async with serving_panel(dsn_of("panel")) as panel, serving_context(dsn_of) as service:
        org = await _org(panel)
        async with RuntimeClient(service.url, org["key"]) as runtime:
            message = "Please remember this fact: the spare keys are called Orion."
            before = await runtime.build_context(
                BuildContextRequest(role_agent="it_agent", channel="helpdesk", message=message)
            )
            assert (before.skills, before.memories) == ((), ())
            version = await _taught(panel, org)
            asked = BuildContextRequest(
                role_agent="it_agent", channel="helpdesk", message="/agent-memory", at_least_version=version
            )
            (loaded,) = (await runtime.build_context(asked)).skills
    assert loaded.name == "agent-memory"
    assert len(examples_of(loaded.body)) == 6


@pytest.mark.integration
async def test_without_the_skill_an_agent_works_without_memory(context: ContextService) -> None:
    """R193: it answers, its pack has no memory and no skill, nothing is written, and nothing is an error."""
    event = await context.said(SAID)
    async with RuntimeClient(context.url, context.key) as runtime:
        await runtime.start_run(StartRun(role_agent="it_agent", channel="helpdesk", event_id=event.event_id))
        pack = await runtime.build_context(
            BuildContextRequest(role_agent="it_agent", channel="helpdesk", message=SAID)
        )
    assert (pack.memories, pack.skills, pack.dropped) == ((), (), ())
    assert "(nothing has been learned yet)" in pack.blocks["memory"]
    assert pack.soul is not None
    assert context.query("SELECT count(*) FROM dw_agent_memories") == [(0,)]


@pytest.mark.integration
async def test_a_memory_call_that_failed_is_tried_again_with_one_effect(context: ContextService) -> None:
    """R192: 503 while PostgreSQL takes no one; the same command later does it once."""
    event = await context.said(SAID)
    async with RuntimeClient(context.url, context.key) as runtime:
        run = await runtime.start_run(
            StartRun(role_agent="it_agent", channel="helpdesk", event_id=event.event_id)
        )
    body = {"key": "hours", "content": SAID}
    headers = {"authorization": f"Bearer {run.token}"}
    async with httpx.AsyncClient(base_url=context.url, headers=headers, timeout=30) as agent:
        context.query("REVOKE SELECT ON dw_agent_run_tokens FROM PUBLIC, dw_app")
        failed = await agent.put(run.memory, json=body)
        assert failed.status_code >= 500
        assert failed.headers["content-type"].startswith("application/problem+json")
        context.query("GRANT SELECT ON dw_agent_run_tokens TO dw_app")
    async with AgentClient(context.url, run) as client:
        again = await client.put(PutMemory(key="hours", content=SAID))
        once_more = await client.put(PutMemory(key="hours", content=SAID))
    assert (again.status, once_more.status, once_more.memory_id) == ("stored", "stored", again.memory_id)
    assert context.query("SELECT count(*) FROM dw_agent_memories") == [(1,)]


def test_dw_prints_and_writes_the_skill_and_the_tool(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["skill"]).stdout == "agent-memory\n"
    assert CliRunner().invoke(app, ["skill", "agent-memory"]).stdout == SKILL
    written = CliRunner().invoke(app, ["skill", "agent-memory", "--out", str(tmp_path)])
    assert written.exit_code == 0
    assert (tmp_path / "agent-memory" / "SKILL.md").read_text("utf-8") == SKILL
    assert CliRunner().invoke(app, ["skill", "agent-memory", "--out", str(tmp_path)]).exit_code == 1
    assert CliRunner().invoke(app, ["skill", "nothing"]).exit_code == 1
    tools = orjson.loads(CliRunner().invoke(app, ["tools"]).stdout)
    assert tools == [search_agent_history_tool()]


async def _org(panel: str) -> dict[str, str]:
    """An org of two people over HTTP, and its runtime's key."""
    file: dict[str, Any] = {
        "org": "acme",
        "users": {"ingrid": {"role": "owner"}, "ada": {"role": "admin"}},
        "agents": {"it_agent": {}},
        "channels": {"helpdesk": {"platform": "slack", "agents": ["it_agent"]}},
        "keys": {"runtime": {"kind": "runtime", "agents": ["it_agent"]}},
    }
    async with httpx.AsyncClient(base_url=panel) as http:
        made = await http.post(
            "/v1/orgs",
            json={"org": "acme", "owner": "ingrid"},
            headers={"authorization": f"Bearer {INSTALLATION}"},
        )
        owner = made.json()["owner_token"]
        applied = await http.put(
            "/v1/orgs/acme/file", json=file, headers={"authorization": f"Bearer {owner}"}
        )
        found = applied.json()
    return {"ingrid": owner, "ada": found["new_tokens"]["ada"], "key": found["new_keys"]["runtime"]}


async def _taught(panel: str, org: dict[str, str]) -> int:
    """The shipped skill, imported by one person and approved by the other. Gives the version of the packs."""
    async with httpx.AsyncClient(base_url=panel) as http:
        proposed = await http.post(
            "/v1/orgs/acme/agents/it_agent/skills/import",
            json={"skill_md": SKILL, "files": ["agent-memory/SKILL.md"]},
            headers={"authorization": f"Bearer {org['ada']}"},
        )
        assert proposed.status_code == 200, proposed.text
        decided = await http.post(
            f"/v1/orgs/acme/items/{proposed.json()['item_id']}/decision",
            json={"action": "approve", "row_version": 1},
            headers={"authorization": f"Bearer {org['ingrid']}"},
        )
    assert decided.status_code == 200, decided.text
    version: int = decided.json()["version"]
    return version
