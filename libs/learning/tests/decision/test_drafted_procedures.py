"""Where a model wrote a procedure as a skill, the sender's words behind it are what is known again (C62, D14, R61)."""

from __future__ import annotations

from typing import Any

from dw_contracts.events.detections import ItemKind
from dw_learning.decision.outcomes import Propose
from libs.learning.tests.decision.test_decide import case, item, outcome, reason, state

STEPS = "To reset the VPN: first turn the client off, then import the new profile."


def drafted(step: str, text: str = STEPS) -> Any:
    body = (
        f"# Reset\n\n## When To Use\n{step} is asked for.\n\n## Procedure\n1. {step}.\n\n"
        "## Do Not Do\n- Do not hurry.\n\n## Verification\nIt works."
    )
    skill = item(body, kind=ItemKind.SKILL_PROCEDURE, key="reset-vpn", span=(0, len(text)))
    return case(skill, text=text)


def test_what_is_shown_is_the_draft_and_two_drafts_of_the_same_words_are_one_signal() -> None:
    first, second = (outcome(drafted(step)) for step in ("Turn it off", "Switch the client off at once"))
    assert isinstance(first, Propose)
    assert isinstance(second, Propose)
    assert first.item_kind == "skill_proposal"
    assert first.memory.content.startswith("# Reset")
    assert first.memory.content != second.memory.content
    assert first.dedupe_key == second.dedupe_key


def test_other_words_are_another_signal() -> None:
    other = "To change the toner: open the flap, then pull the lever."
    assert outcome(drafted("Turn it off")).dedupe_key != outcome(drafted("Turn it off", other)).dedupe_key


def test_what_was_buried_or_rejected_in_somebodys_words_stays_away_in_whatever_draft() -> None:
    buried = state()
    buried.bury(STEPS)
    assert reason(drafted("Switch the client off at once"), buried) == "tombstoned"
    hidden = state()
    hidden.hidden[outcome(drafted("Turn it off")).dedupe_key] = True
    assert reason(drafted("Switch the client off at once"), hidden) == "hidden"
