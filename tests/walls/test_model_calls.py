"""Nobody but AccessGate calls a model (R62, G1): no other module can, and no other process holds what it takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from dw_contracts.settings import ALL
from dw_learning.gate.features import FEATURES

ROOT = Path(__file__).parents[2]
# What can open a connection to a provider. Drivers of PostgreSQL and Kafka are not among them.
CLIENTS = {
    "aiohttp", "anthropic", "boto3", "botocore", "curl_cffi", "grpc", "http.client", "httpcore", "httplib2", "httpx",
    "httpx_sse", "litellm", "niquests", "openai", "pycurl", "requests", "socket", "urllib.request", "urllib3", "websockets",
}  # fmt: skip
# They call models; through the gate alone, as the tests below hold.
ADAPTERS = {
    "dw_detector/adapters/anthropic.py",
    "dw_detector/adapters/http.py",
    "dw_detector/adapters/openai.py",
    "dw_detector/gate/build.py",
}
# They speak HTTP to services of ours, to chat platforms, or are no part of a service at all.
OTHERS = ("dw_client/", "dw_cli/", "dw_devstack/", "dw_testkit/", "dw_channels/")


def modules() -> Iterator[tuple[str, Path]]:
    for folder in ("libs", "services"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "src" in path.parts:
                yield str(path.relative_to(path.parents[len(path.parts) - path.parts.index("src") - 2])), path


def imports(path: Path) -> set[str]:
    """Modules by their dotted names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def reaches_out(path: Path) -> bool:
    return any(name in CLIENTS or name.partition(".")[0] in CLIENTS for name in imports(path))


def test_the_rule_sees_what_it_is_for(tmp_path: Path) -> None:
    for number, line in enumerate(
        [
            "import httpx",
            "from urllib.request import urlopen",
            "import http.client",
            "from openai import OpenAI",
        ]
    ):
        module = tmp_path / f"m{number}.py"
        module.write_text(line)
        assert reaches_out(module), line
    innocent = tmp_path / "n.py"
    innocent.write_text("from http import HTTPStatus\nfrom urllib.parse import urlsplit")
    assert not reaches_out(innocent)


def test_no_service_can_reach_a_provider_but_the_adapters_behind_the_gate() -> None:
    found = {name for name, path in modules() if not name.startswith(OTHERS) and reaches_out(path)}
    assert found == ADAPTERS


def test_a_target_is_made_and_asked_by_the_gate_alone() -> None:
    asking, making = set(), set()
    for name, path in modules():
        if name.startswith("dw_detector/"):
            text = path.read_text("utf-8")
            asking |= {name} if re.search(r"\btarget\.send\(", text) else set()
            making |= {name} if re.search(r"\b(OpenAiTarget|AnthropicTarget)\(", text) else set()
    assert asking == {"dw_detector/gate/access.py", "dw_detector/gate/uncounted.py"}
    assert making == {"dw_detector/gate/build.py"}


def test_what_counts_nothing_is_used_where_labelled_rows_are_scored_and_nowhere_else() -> None:
    """`dw eval --provider`: a process of its own, which no service starts."""
    using = {name for name, path in modules() if any("uncounted" in each for each in imports(path))}
    assert using == {"dw_detector/evaluate.py"}
    starting = {
        name for name, path in modules() if re.search(r"dw_detector[./]evaluate", path.read_text("utf-8"))
    }
    assert starting == {"dw_detector/evaluate.py", "dw_cli/eval_model.py"}


def test_whatever_asks_a_model_says_for_which_feature() -> None:
    """Every call of the gate is a ModelCall under one of the two keys (R60, R61, R64)."""
    features = set()
    for name, path in modules():
        if name.startswith("dw_detector/"):
            features |= set(re.findall(r"\bModelCall\(\s*(\w+)", path.read_text("utf-8")))
    assert features == {"LEARNING_DETECT", "SKILL_DRAFT"}
    assert {feature.key for feature in FEATURES} == {
        "digital_worker:learning_detect",
        "digital_worker:skill_draft",
    }


def test_one_process_alone_is_given_a_providers_address_and_key() -> None:
    holders = {
        settings.service for settings in ALL if {"api_key", "base_url", "model"} & set(settings.model_fields)
    }
    assert holders == {"detector"}
    compose = (ROOT / "docker-compose.yml").read_text("utf-8")
    assert not re.search(r"(OPENAI|ANTHROPIC)_API_KEY", compose)
