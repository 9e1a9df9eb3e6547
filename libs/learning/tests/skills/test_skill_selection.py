"""Which skill a message needs (R164, R165, C98), by rules and by labelled rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dw_learning.evaluate.skills import evaluate_skills
from dw_learning.skills.select import OfferedSkill, Selection, commanded, select_skill

HERE = Path(__file__).parent
VPN = OfferedSkill("vpn-reset", "Use when the VPN does not connect.")
PASSWORD = OfferedSkill("password-reset", "Use when somebody forgot a password.")


@pytest.mark.parametrize(
    "message",
    [
        "/vpn-reset",
        "/vpn-reset now",
        "  use skill vpn-reset",
        "Please use the skill vpn-reset.",
        "/VPN-reset",
    ],
)
def test_a_command_chooses_by_name_alone(message: str) -> None:
    assert select_skill(message, [PASSWORD, VPN]) == Selection("vpn-reset", "command", 1.0)


def test_what_the_runtime_asks_for_goes_before_the_message() -> None:
    assert select_skill("I forgot my password, help", [VPN, PASSWORD], "vpn-reset").name == "vpn-reset"


@pytest.mark.parametrize(
    "message", ["see /vpn-reset", "do not use skill vpn-reset", "a/vpn-reset", "/usr/bin is full"]
)
def test_a_name_inside_a_sentence_is_no_command(message: str) -> None:
    assert commanded(message) is None


def test_a_command_for_a_skill_that_is_not_offered_loads_nothing() -> None:
    assert select_skill("/vpn-reset please, I forgot my password", [PASSWORD]).reason == "unknown_command"


def test_two_that_fit_alike_are_uncertain() -> None:
    twin = OfferedSkill("reset-vpn", "Use when the VPN does not connect.")

    assert select_skill("My VPN does not connect, please help", [VPN]).name == "vpn-reset"
    assert select_skill("My VPN does not connect, please help", [VPN, twin]) == Selection(
        None, "uncertain", 1.0
    )


def test_the_order_in_which_skills_are_offered_changes_nothing() -> None:
    message = "I forgot my password, please help"

    assert select_skill(message, [VPN, PASSWORD]) == select_skill(message, [PASSWORD, VPN])


@pytest.mark.parametrize("message", ["", "   ", "?", "\u200b", "x" * 50_000, "/", "use skill"])
def test_odd_messages_choose_nothing(message: str) -> None:
    assert select_skill(message, [VPN, PASSWORD]).name is None


@pytest.mark.parametrize(
    ("file", "least"),
    [("selection", 100), ("selection_more", 30), ("selection_third", 30), ("selection_fourth", 50)],
)
def test_labelled_rows_keep_precision_and_choose_none_where_none_fits(file: str, least: int) -> None:
    rows = [json.loads(line) for line in (HERE / f"{file}.jsonl").read_text("utf-8").splitlines()]

    figures = evaluate_skills(rows)

    assert figures["n"] >= least
    assert figures["precision"] >= 0.95, figures
    assert figures["none_kept"] >= 0.95, figures
    assert figures["recall"] >= 0.85, figures


def test_a_wrong_choice_costs_precision_and_a_missing_one_recall() -> None:
    skills = [{"name": "vpn-reset", "description": VPN.description}]
    ask = "My VPN does not connect, please help"
    rows: list[dict[str, Any]] = [
        {"message": ask, "skills": skills, "right": "vpn-reset"},
        {"message": ask, "skills": skills, "right": None},
        {"message": "hello there", "skills": skills, "right": "vpn-reset"},
        {"message": "hello there", "skills": skills, "right": None},
    ]

    figures = evaluate_skills(rows)

    assert {key: figures[key] for key in ("n", "chosen", "precision", "recall", "none_kept", "accuracy")} == {
        "n": 4, "chosen": 2, "precision": 0.5, "recall": 0.5, "none_kept": 0.5, "accuracy": 0.5,
    }  # fmt: skip
