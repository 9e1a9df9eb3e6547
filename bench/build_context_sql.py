"""BuildAgentContext with each pack from SQL under row-level security, against the same empty route: what a reply costs
while nothing is kept in memory. One role-agent with 1,000 memories."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import orjson

sys.path.insert(0, str(Path(__file__).parent))

from _context import Setting, measure

SETTING: Final = Setting(
    "build_context_sql",
    0.15,
    agents=1,
    memories=1_000,
    skills=0,
    environment={"DW_CONTEXT_CACHED_AGENTS": "0"},
)


def run() -> dict[str, Any]:
    """See the module."""
    return measure(SETTING)


if __name__ == "__main__":
    print(orjson.dumps(run()).decode())
