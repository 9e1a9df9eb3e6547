"""The tool that a model may call fits the request that it becomes (R167)."""

from __future__ import annotations

import json
from pathlib import Path

from dw_contracts.generate import SEARCH_TOOL
from dw_contracts.http.context import SearchRequest
from dw_contracts.tools import FILLED_BY_RUNTIME, search_agent_history_tool

ROOT = Path(__file__).parents[3]


def test_the_documented_tool_is_the_one_of_the_code() -> None:
    assert json.loads((ROOT / SEARCH_TOOL).read_text()) == search_agent_history_tool()


def test_a_models_arguments_with_what_the_runtime_fills_in_are_a_request() -> None:
    function = search_agent_history_tool()["function"]
    arguments = {"query": "vpn error 619", "phrasings": ["VPN Fehler 619"], "limit": 5}
    assert set(arguments) <= set(function["parameters"]["properties"])
    asked = SearchRequest.model_validate({"role_agent": "it_agent", "channel": "helpdesk"} | arguments)
    assert asked.phrasings == ("VPN Fehler 619",)
    assert function["parameters"]["required"] == ["query"]


def test_a_model_says_neither_who_asks_nor_from_where() -> None:
    assert not FILLED_BY_RUNTIME & set(search_agent_history_tool()["function"]["parameters"]["properties"])
    assert set(SearchRequest.model_fields) >= FILLED_BY_RUNTIME
