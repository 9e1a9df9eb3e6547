"""SKILL.md of the public format, in and out (C82)."""

from __future__ import annotations

import pytest

from dw_learning.skills.folder import Imported, export_skill, import_skill
from dw_learning.skills.format import SkillDocument

OURS = SkillDocument(
    "reset-vpn",
    "Use when: the VPN drops",
    "it_agent",
    "high",
    "Reset",
    ("It drops.", "1. Quit.\n\n```\n# x\n```", "", "It connects."),
)


def came(text: str, *files: str, agent: str = "it_agent") -> Imported:
    found = import_skill(text, files, agent)
    assert isinstance(found, Imported), found
    return found


def test_what_we_exported_comes_back_as_it_was() -> None:
    metadata = {"license": "MIT", "author": "a: b", "compatibility": "any"}

    back = came(export_skill(OURS, metadata))

    assert back == Imported(OURS, metadata, ())


def test_the_export_has_only_keys_that_the_public_validator_knows() -> None:
    front = export_skill(OURS, {"license": "MIT", "author": "x"}).split("---\n")[1]

    assert [line.partition(":")[0] for line in front.splitlines() if line[0] != " "] == [
        "name",
        "description",
        "license",
        "metadata",
    ]


def test_a_foreign_folder_gets_the_missing_sections_and_loses_its_tools() -> None:
    text = """---
name: pdf-tools
description: >
  Use when a PDF
  must be split.
allowed-tools:
  - Bash
  - Read
license: Apache-2.0
version: "2"
---
# PDF

Intro.

## Procedure
Do it.

## Examples
```
## no heading
```

## verification
Open it.
"""
    found = came(text, "SKILL.md", "references/more.md", agent="hr_agent")

    assert found.stripped == ("allowed-tools", "file references/more.md")
    assert found.metadata == {"license": "Apache-2.0", "version": "2"}
    document = found.document
    assert (document.description, document.agent, document.risk, document.title) == (
        "Use when a PDF must be split.",
        "hr_agent",
        "medium",
        "PDF",
    )
    assert document.sections == (
        "",
        "Intro.\n\nDo it.\n\n### Examples\n```\n## no heading\n```",
        "",
        "Open it.",
    )


@pytest.mark.parametrize("path", ["scripts/run", "a/b.py", "x.SH", "tools/bin/go"])
def test_scripts_are_refused(path: str) -> None:
    assert isinstance(import_skill(export_skill(OURS), [path], "it_agent"), tuple)


@pytest.mark.parametrize(
    "text",
    ["", "# x", "---\nname: x\n", "---\nname: X Y\ndescription: d\n---\n", "---\nname: x\n---\n", "---\n: :\n---\n",
     "---\nname: x\nname: y\ndescription: d\n---\n", '---\nname: x\ndescription: "d\n---\n'],
)  # fmt: skip
def test_what_is_no_skill_is_told_with_its_line(text: str) -> None:
    faults = import_skill(text, (), "it_agent")

    assert isinstance(faults, tuple)
    assert all(fault.line >= 1 for fault in faults)
