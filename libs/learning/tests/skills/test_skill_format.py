"""The strict format: what it refuses, where, and that what we write keeps it (R196, R197)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dw_learning.skill_draft import draft_skill
from dw_learning.skills.format import Fault, SkillDocument, read_skill, write_skill
from dw_learning.skills.front import read_scalar, scalar

WHOLE = """---
name: reset-vpn
description: "Use when: the VPN drops"
scope: role_agent
agent: it_agent
risk: medium
---

# Reset the VPN

## When To Use
The VPN drops.

## Procedure
1. Quit the client.

```sh
## not a heading
```

## Do Not Do
- Delete the profile.

## Verification
It connects.
"""


def test_a_whole_skill_is_read_and_written_back_as_it_was() -> None:
    document = read_skill(WHOLE)

    assert isinstance(document, SkillDocument)
    assert (document.name, document.description, document.risk) == (
        "reset-vpn",
        "Use when: the VPN drops",
        "medium",
    )
    assert document.sections[1] == "1. Quit the client.\n\n```sh\n## not a heading\n```"
    assert write_skill(document) == WHOLE


def test_what_an_editor_adds_to_a_file_is_no_fault() -> None:
    """Notepad begins with a byte order mark and ends lines with two signs."""
    assert read_skill("\ufeff" + WHOLE.replace("\n", "\r\n")) == read_skill(WHOLE)


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("---\nname", "name", 1, "begin with ---"),
        ("medium\n---", "medium", 25, "no closing ---"),
        ("name: reset-vpn", "name: Reset VPN", 2, "kebab-case"),
        ("name: reset-vpn", f"name: {'a' * 65}", 2, "at most 64"),
        ("name: reset-vpn\n", "", 6, "the key name is missing"),
        ('"Use when: the VPN drops"', '"Use when', 3, "quotes closed"),
        ('"Use when: the VPN drops"', "", 3, "description is empty"),
        ('"Use when: the VPN drops"', "x" * 1_025, 3, "more than 1024"),
        ("scope: role_agent", "scope: org", 4, "scope must be role_agent"),
        ("agent: it_agent", "agent: it agent", 5, "code of a role-agent"),
        ("risk: medium", "risk: critical", 6, "one of low, medium, high, sensitive"),
        ("risk: medium", "risk: medium\nrisk: low", 7, "risk stands twice"),
        ("risk: medium", "risk: medium\nallowed-tools: Bash", 7, "unknown key allowed-tools"),
        ("risk: medium", "risk: medium\n  nested", 7, "one `key: value` a line"),
        ("# Reset", "Hello\n\n# Reset", 9, "outside the sections"),
        ("## Procedure", "## Steps", 14, "unknown section Steps"),
        ("## Verification", "## Procedure", 24, "Procedure stands twice"),
        ("## Verification\nIt connects.\n", "", 24, "## Verification is missing"),
        ("```\n\n## Do", "\n\n## Do", 26, "not closed"),
        ("It connects.", "# Again", 25, "one title"),
    ],
)
def test_every_fault_names_its_line(old: str, new: str, line: int, problem: str) -> None:
    assert WHOLE.count(old) == 1 or old == "---\nname"

    faults = read_skill(WHOLE.replace(old, new, 1))

    assert isinstance(faults, tuple)
    assert any(fault.line == line and problem in fault.problem for fault in faults), [*map(str, faults)]


def test_sections_out_of_order_are_a_fault() -> None:
    swapped = (
        WHOLE.replace("## When To Use", "## X")
        .replace("## Procedure", "## When To Use")
        .replace("## X", "## Procedure")
    )

    assert _faults(swapped) == (Fault(14, "the section When To Use must stand before Procedure"),)


def test_all_faults_are_told_at_once_in_the_order_of_lines() -> None:
    faults = _faults(WHOLE.replace("risk: medium", "risk: x").replace("## Do Not Do", "## Never"))

    assert [fault.line for fault in faults] == sorted(fault.line for fault in faults)
    assert len(faults) == 3  # the risk, the unknown section, the missing one


def test_what_is_too_long_is_not_read() -> None:
    assert _faults(WHOLE + "x" * 20_000) == (Fault(1, "a skill has at most 20000 characters"),)


@given(st.text(max_size=200))
def test_a_scalar_is_read_back_as_one_line(text: str) -> None:
    assert read_scalar(scalar(text)) == " ".join(text.split())


@example("0", "#\r0")
@example("# # Reset\r```", "")
@given(st.text(min_size=1, max_size=400), st.text(max_size=30))
def test_whatever_somebody_explained_becomes_a_skill_that_keeps_the_format(text: str, key: str) -> None:
    draft = draft_skill(text, key, "it_agent", "high")

    document = read_skill(draft.body_md)

    assert isinstance(document, SkillDocument), (document, draft.body_md)
    assert (document.name, document.risk, document.agent) == (draft.name, "high", "it_agent")


@given(
    st.lists(
        st.sampled_from(["## Procedure", "## When To Use", "```", "~~~", "# T", "---", "1. do", "## X", ""]),
        max_size=12,
    )
)
def test_headings_and_fences_of_the_speaker_stay_inside_the_procedure(lines: list[str]) -> None:
    draft = draft_skill("\n".join(["go", *lines]), "a-task", "it_agent", "high")

    assert isinstance(read_skill(draft.body_md), SkillDocument), draft.body_md


def _faults(text: str) -> tuple[Fault, ...]:
    faults = read_skill(text)
    assert isinstance(faults, tuple)
    return faults
