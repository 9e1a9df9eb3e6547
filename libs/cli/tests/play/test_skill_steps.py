"""Every `admin do` of the table can be played, and a skill is written in the strict format."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest

from dw_cli.play.admin_fields import AdminDo
from dw_cli.play.skill_acts import skill_text
from dw_cli.play.steps_admin import DOES
from dw_cli.play.texts import Texts
from dw_cli.play.world import World
from dw_learning.skills.format import SkillDocument, read_skill

WORLD = cast(World, SimpleNamespace(texts=Texts("s.yaml")))  # all that the text of a skill needs


def test_nothing_that_a_person_may_try_is_missing() -> None:
    assert set(DOES) == set(get_args(AdminDo))


@pytest.mark.parametrize(
    ("fields", "procedure"),
    [
        ({}, "Do reset-vpn."),
        ({"procedure": ["Quit.", "Start."]}, "1. Quit.\n2. Start."),
        (
            {"procedure": "Quit: then start.", "description": 'Use when: "it" drops', "risk": "medium"},
            "Quit: then start.",
        ),
    ],
)
def test_a_skill_of_a_story_keeps_the_format(fields: dict[str, Any], procedure: str) -> None:
    document = read_skill(skill_text(WORLD, "it_agent", {"skill": "reset-vpn"} | fields))

    assert isinstance(document, SkillDocument), document
    assert (document.name, document.agent, document.sections[1]) == ("reset-vpn", "it_agent", procedure)
    assert document.description == fields.get("description", "Use when the task is reset-vpn.")
