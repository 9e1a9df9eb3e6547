"""dw memory export and import against a real panel: there and back, lost files, and files that mean harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from typer.testing import CliRunner

from dw_cli.main import app
from dw_testkit.serving import INSTALLATION, DsnOf, serving_panel

pytestmark = pytest.mark.integration
TEXTS = (
    "The Porto office closes at 19:00.",
    "The bike room is called Velo.",
    "The spare keys are called Orion.",
)
FILE = "---\nkey: fair\nlayer: knowledge\ntype: fact\nstatus: active\n---\nThe fair is in Lyon.\n"


@dataclass
class Panel:
    """An org of an owner and an admin over HTTP."""

    url: str
    admin_dsn: str
    tokens: dict[str, str]
    agent: str

    async def dw(self, *args: str, who: str = "ada") -> Any:
        """The command in a thread: it has an event loop of its own."""
        env = {"DW_PANEL_URL": self.url, "DW_TOKEN": self.tokens[who]}
        where = ["--org", "acme", "--agent", "it_agent"]
        return await asyncio.to_thread(CliRunner().invoke, app, ["memory", *args, *where], env=env)

    async def call(self, method: str, path: str, body: Any = None, who: str = "ada") -> Any:
        headers = {"authorization": f"Bearer {self.tokens[who]}"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers) as http:
            answer = await http.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def approve(self) -> None:
        """The owner says yes to all that waits."""
        for item in (await self.call("GET", "/v1/orgs/acme/items", who="ingrid"))["items"]:
            body = {"action": "approve", "row_version": item["row_version"]}
            await self.call("POST", f"/v1/orgs/acme/items/{item['id']}/decision", body, who="ingrid")

    def rows(self) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin_dsn) as connection:
            return connection.execute(
                "SELECT key, layer, content, row_version, id FROM dw_agent_memories WHERE status = 'active' ORDER BY key"
            ).fetchall()


@pytest.fixture
async def panel(dsn_of: DsnOf) -> AsyncIterator[Panel]:
    async with serving_panel(dsn_of("panel")) as url:
        made = Panel(url, dsn_of("admin"), {"installation": INSTALLATION}, "")
        org = await made.call("POST", "/v1/orgs", {"org": "acme", "owner": "ingrid"}, who="installation")
        made.tokens["ingrid"] = org["owner_token"]
        file = {
            "org": "acme",
            "users": {"ingrid": {"role": "owner"}, "ada": {"role": "admin"}},
            "agents": {"it_agent": {}},
        }
        applied = await made.call("PUT", "/v1/orgs/acme/file", file, who="ingrid")
        made.tokens |= applied["new_tokens"]
        made.agent = applied["agents"]["it_agent"]
        await made.call("POST", "/v1/orgs/acme/memories", {"agent": made.agent, "texts": TEXTS})
        yield made


def files(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in sorted(folder.rglob("*.md"))}


async def test_there_and_back_changes_nothing_and_a_lost_file_is_made_again(
    panel: Panel, tmp_path: Path
) -> None:
    out, before = tmp_path / "memory", panel.rows()
    done = await panel.dw("export", "--out", str(out))
    assert done.exit_code == 0, done.output
    first = files(out)
    assert sorted(text.rpartition("---\n\n")[2].strip() for text in first.values()) == sorted(TEXTS)
    again = await panel.dw("import", str(out))
    assert (again.exit_code, "0 proposed, 3 known, 0 rejected" in again.output) == (0, True), again.output
    lost, spoilt, _ = (out / name for name in first)
    lost.unlink()
    spoilt.write_text("nonsense")
    assert panel.rows() == before  # R25: what happens to files changes no row
    assert (await panel.dw("export", "--out", str(out))).exit_code == 0
    assert files(out) == first
    assert panel.rows() == before


async def test_an_edited_and_a_new_file_wait_for_a_yes_and_then_hold(panel: Panel, tmp_path: Path) -> None:
    out, before = tmp_path / "memory", panel.rows()
    await panel.dw("export", "--out", str(out))
    edited = next(path for path in out.rglob("*.md") if "Porto" in path.read_text())
    edited.write_text(edited.read_text().replace("19:00", "21:00"))
    (out / "knowledge" / "fair.md").write_text(FILE)
    done = await panel.dw("import", str(out))
    assert "2 proposed, 2 known, 0 rejected" in done.output, done.output
    assert "waits in the Learning Inbox" in done.output
    assert panel.rows() == before
    await panel.approve()
    known = {row[2] for row in panel.rows()}
    assert known == {"The Porto office closes at 21:00.", *TEXTS[1:], "The fair is in Lyon."}
    fresh = tmp_path / "fresh"
    await panel.dw("export", "--out", str(fresh))
    assert {text.rpartition("---\n\n")[2].strip() for text in files(fresh).values()} == known


async def test_what_is_not_known_any_more_is_named_and_deleted_only_when_asked(
    panel: Panel, tmp_path: Path
) -> None:
    out = tmp_path / "memory"
    await panel.dw("export", "--out", str(out))
    notes = out / "README.md"
    notes.write_text("my own notes")
    gone = next(row for row in panel.rows() if "Velo" in row[2])
    await panel.call("POST", f"/v1/orgs/acme/memories/{gone[4]}/delete", {})
    told = await panel.dw("export", "--out", str(out))
    assert "not known any more; --prune deletes it" in told.output
    assert len(files(out)) == 4
    assert "deleted" in (await panel.dw("export", "--out", str(out), "--prune")).output
    assert len(files(out)) == 3
    assert notes.read_text() == "my own notes"


async def test_a_hostile_folder_is_refused_with_file_and_line_and_nothing_is_sent(
    panel: Panel, tmp_path: Path
) -> None:
    folder = tmp_path / "memory"
    (folder / "knowledge").mkdir(parents=True)
    secret = tmp_path / "secret.md"
    secret.write_text(FILE)
    cases = {
        "a.md": (FILE.replace("key: fair", "key: fair\nkey: fair2"), ":3: key stands twice"),
        "b.md": (
            FILE.replace("key: fair", "key: !!python/object/apply:os.system [id]"),
            ":2: key must be one line",
        ),
        "c.md": (FILE.replace("status: active", "status: active\nadmin: true"), ":6: unknown key"),
        "d.md": (FILE + "\u202e", ":8: holds a sign that cannot be seen"),
        "e.md": (FILE.replace("knowledge", "../../etc"), ":3: layer must be one of"),
    }
    for name, (text, _) in cases.items():
        (folder / "knowledge" / name).write_text(text)
    (folder / "knowledge" / "f.md").write_bytes(b"---\nkey: \xff\n")
    refused = await panel.dw("import", str(folder))
    assert refused.exit_code == 1
    for name, (_, fault) in cases.items():
        assert f"{folder}/knowledge/{name}{fault}" in refused.output
    assert f"{folder}/knowledge/f.md:2: no UTF-8" in refused.output
    for path in (folder / "knowledge").iterdir():
        path.unlink()
    (folder / "knowledge" / "link.md").symlink_to(secret)
    assert "links are not followed" in (await panel.dw("import", str(folder))).output
    (folder / "knowledge" / "link.md").unlink()
    for name in ("one.md", "two.md"):
        (folder / "knowledge" / name).write_text(FILE)
    assert "two.md:1: the same layer and key" in (await panel.dw("import", str(folder))).output
    assert (await panel.call("GET", "/v1/orgs/acme/items"))["total"] == 0


async def test_an_export_is_not_led_out_of_its_folder(panel: Panel, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "memory", tmp_path / "elsewhere"
    elsewhere.mkdir()
    out.mkdir()
    (out / "knowledge").symlink_to(elsewhere)
    refused = await panel.dw("export", "--out", str(out))
    assert (refused.exit_code, "not written through" in refused.output) == (1, True)
    (out / "knowledge").unlink()
    await panel.dw("export", "--out", str(out))
    target = tmp_path / "precious"
    target.write_text("precious")
    name = next(iter(files(out)))
    (out / name).unlink()
    (out / name).symlink_to(target)
    again = await panel.dw("export", "--out", str(out))
    assert again.exit_code == 1 or not (out / name).is_symlink()
    assert target.read_text() == "precious"
    assert list(elsewhere.iterdir()) == []


async def test_nothing_goes_out_or_in_without_a_right(panel: Panel, tmp_path: Path) -> None:
    panel.tokens["nobody"] = "dw_ut_nobody"
    for args in (["export", "--out", str(tmp_path / "x")],):
        refused = await panel.dw(*args, who="nobody")
        assert (refused.exit_code, "401" in refused.output) == (1, True)
    assert not (tmp_path / "x").exists()
