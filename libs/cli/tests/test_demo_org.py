"""The orgs of the demo can be gone on with: their commands find a token, and the demo and a refusal name them."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from dw_cli import local
from dw_cli.main import app
from dw_devstack.demo.play import example, go_on
from dw_devstack.demo.stage import Doors, create
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.product import Product
from libs.cli.tests.test_audit_command import INSTALLATION, panel

pytestmark = pytest.mark.integration


async def test_a_command_finds_the_token_of_the_demos_org_and_names_it_where_another_was_meant(
    dsn_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DW_TOKEN", raising=False)
    product = Product(Home(tmp_path / ".dw").create())
    async with panel(dsn_of("panel")) as (url, _):
        addresses = SimpleNamespace(url=lambda service: url)
        stack = SimpleNamespace(product=product, state=SimpleNamespace(addresses=addresses))
        monkeypatch.setattr(local, "running", lambda: stack)
        login = KafkaLogin("127.0.0.1:9", "operator", "p")
        doors = Doors(url, url, url, INSTALLATION, login, "", Path(), Path(), product.keep_token)
        org = await create(doors, example("acme"), "ingrid")

        async def dw(*args: str) -> Any:
            return await asyncio.to_thread(CliRunner().invoke, app, args)

        shown = await dw("key", "list", "--org", org.code)
        assert shown.exit_code == 0, shown.output
        assert "slack-gateway" in shown.output
        refused = await dw("gate", "status", "--org", "acme")
        assert refused.exit_code == 1
        said = " ".join(refused.output.split())
        assert said == (
            f"no token for org acme is kept here: give one with --token or DW_TOKEN (there are tokens of {org.code})"
        )

    told = io.StringIO()
    go_on(doors, org, Console(file=told, width=140))
    assert f"\n.venv/bin/dw key list --org {org.code}   # the org of this demo" in told.getvalue()
