"""Which skill a message calls for: command, match, or none (R164, R165, C98)."""

from __future__ import annotations

import pytest

from dw_learning.skill_choice import Offer, SkillChoice, SkillIndex, choose_skill

OFFERS = [
    Offer("1", "reset-vpn", "Use when somebody cannot connect to the VPN.", 1, "1. Restart."),
    Offer("2", "reset-vpn-token", "Use when the VPN token is lost.", 1, "1. Revoke."),
    Offer("3", "book-room", "Book a meeting room.", 1, "1. Look."),
]
INDEX = SkillIndex(OFFERS)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("/reset-vpn", "reset-vpn"),
        ("  /reset-vpn-token now", "reset-vpn-token"),
        ("please use skill book-room for me", "book-room"),
        ("Use Skill RESET-VPN.", "reset-vpn"),
    ],
)
def test_a_command_comes_first(message: str, name: str) -> None:
    choice = choose_skill(INDEX, message)
    assert choice.how == "command"
    assert choice.chosen is not None
    assert OFFERS[choice.chosen].name == name


@pytest.mark.parametrize("message", ["/unknown book a meeting room", "use skill nothing", "/", "", "thanks"])
def test_a_command_for_no_skill_and_small_talk_choose_none(message: str) -> None:
    assert choose_skill(INDEX, message) == SkillChoice(None, "none")


def test_a_clear_match_is_chosen() -> None:
    assert choose_skill(INDEX, "book a meeting room") == SkillChoice(2, "match")


def test_two_that_are_near_each_other_are_uncertain_and_none_is_loaded() -> None:
    alike = [
        Offer("1", "reset-vpn-mac", "Use when somebody cannot connect to the VPN.", 1, "1. Restart."),
        Offer("2", "reset-vpn-linux", "Use when somebody cannot connect to the VPN.", 1, "1. Restart."),
    ]
    choice = choose_skill(SkillIndex(alike), "How do I reset the VPN?")
    assert (choice.chosen, choice.how) == (None, "none")
    assert set(choice.uncertain) == {0, 1}


def test_without_offers_nothing_is_chosen() -> None:
    assert choose_skill(SkillIndex([]), "/reset-vpn") == SkillChoice(None, "none")
