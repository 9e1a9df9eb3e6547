"""A DW_ variable that code reads is one that the settings know: else every process would refuse to start beside it."""

from __future__ import annotations

import re
from pathlib import Path

from dw_contracts.variables import known

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"""["'](DW_[A-Z_]*[A-Z])["']""")


def test_every_variable_that_code_names_is_known() -> None:
    sources = [path for folder in ("libs", "services", "bench") for path in (ROOT / folder).rglob("*.py")]
    named = {
        (name, path.relative_to(ROOT).as_posix())
        for path in sources
        if "tests" not in path.parts
        for name in NAME.findall(path.read_text())
    }

    assert sorted((name, path) for name, path in named if name not in known()) == []
