"""How much longer a pack takes in an org with 100,000 memories than in one with 10,000: the median time of a request, each
beside the empty route's of its own run. Smaller is better; the target is a limit."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any, Final

import orjson

sys.path.insert(0, str(Path(__file__).parent))

from _context import Setting, measured

LIMIT: Final = 1.3
MEMORIES: Final = 1_000
"""Of each role-agent."""


def run() -> dict[str, Any]:
    """See the module."""
    few, many = median_time(10), median_time(100)
    growth = many / few
    return {
        "bench": "build_context_growth",
        "value": round(many, 2),
        "baseline": round(few, 2),
        "ratio": round(growth, 3),
        "target": LIMIT,
        "ok": growth < LIMIT,
    }


def median_time(agents: int) -> float:
    """The p50 of a request in p50s of the empty route."""
    setting = Setting("build_context_growth", LIMIT, agents, MEMORIES, skills=50, environment={})
    return statistics.median(ours.p50 / theirs.p50 for ours, theirs in measured(setting))


if __name__ == "__main__":
    print(orjson.dumps(run()).decode())
