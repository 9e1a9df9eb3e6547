"""BuildAgentContext from memory against an empty FastAPI route on the same server settings.

A hundred role-agents with 1,000 memories and 50 skills each, messages of many kinds; logs, metrics, records of packs
and traces as shipped; Kafka, PostgreSQL and both servers are real processes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import orjson

sys.path.insert(0, str(Path(__file__).parent))

from _context import Setting, measure

SETTING: Final = Setting("build_context", 0.5, agents=100, memories=1_000, skills=50, environment={})


def run() -> dict[str, Any]:
    """See the module."""
    return measure(SETTING)


if __name__ == "__main__":
    print(orjson.dumps(run()).decode())
