"""From a proposal's payload to a skill that may become active."""

from __future__ import annotations

from typing import Any

import pytest

from dw_panel.skills import proposed_skill
from dw_runtime import ProblemError

BODY = "---\nname: reset-phone\ndescription: Use when a phone is lost.\nscope: role_agent\nagent: it_agent\nrisk: low\n---\n\n## When To Use\nx\n\n## Procedure\ny\n\n## Do Not Do\nz\n\n## Verification\nv\n"
WHOLE = {"name": "reset-phone", "description": "Use when a phone is lost.", "risk": "low", "body_md": BODY}
NONE: frozenset[str] = frozenset()


def test_a_whole_body_is_taken_as_it_is_with_the_higher_risk() -> None:
    skill = proposed_skill(WHOLE, "it_agent", "high", NONE, None)
    assert (skill.name, skill.risk, skill.body_md) == ("reset-phone", "high", BODY)
    assert proposed_skill(WHOLE | {"risk": "sensitive"}, "it_agent", "low", NONE, None).risk == "sensitive"


def test_what_somebody_explained_becomes_a_skill() -> None:
    payload = {"content": "To reset a phone: 1. back it up 2. wipe it", "key": "reset-phone"}
    skill = proposed_skill(payload, "it_agent", "high", NONE, None)
    assert skill.name == "reset-phone"
    assert "agent: it_agent\n" in skill.body_md
    assert "## Verification" in skill.body_md


def test_a_new_skill_never_takes_the_name_of_another_one() -> None:
    taken = frozenset({"reset-phone", "reset-phone-2"})
    skill = proposed_skill(WHOLE, "it_agent", "low", taken, None)
    assert skill.name == "reset-phone-3"
    assert "name: reset-phone-3\n" in skill.body_md


def test_an_update_keeps_the_name() -> None:
    skill = proposed_skill(WHOLE, "it_agent", "low", frozenset({"lost-phone"}), "lost-phone")
    assert (skill.name, "name: lost-phone\n" in skill.body_md) == ("lost-phone", True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Reset Phone"},
        {"name": "a" * 65},
        {"description": ""},
        {"description": "x" * 1_025},
        {"body_md": "## Procedure\nx"},
        {"body_md": BODY + "x" * 20_000},
        {"risk": "none"},
    ],
)
def test_what_is_no_skill_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ProblemError):
        proposed_skill(WHOLE | wrong, "it_agent", "low", NONE, None)
