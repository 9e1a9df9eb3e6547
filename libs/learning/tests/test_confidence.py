"""Extracted memories begin lower than rules of the system, whatever a model says of itself (R73, C57)."""

from __future__ import annotations

from typing import get_args

import pytest

from dw_learning.confidence import MOST, SourceKind, initial
from dw_learning.decision.outcomes import Save
from dw_learning.extract import extract
from libs.learning.tests.decision.test_decide import case, item, outcome


def test_every_source_has_its_band_and_no_other() -> None:
    assert set(MOST) == set(get_args(SourceKind))
    assert all(0 < most <= 1 for most in MOST.values())


@pytest.mark.parametrize("said", [0.0, 0.5, 0.9, 0.99, 1.0, 7.0])
def test_extracted_begins_below_a_rule_of_the_system(said: float) -> None:
    assert initial("agent_extracted", said) <= 0.9 < initial("system_rule", said) == 1.0


@pytest.mark.parametrize("said", [-1.0, 0.3])
def test_a_model_may_be_less_sure_than_its_band(said: float) -> None:
    assert initial("agent_extracted", said) == max(said, 0.0)


@pytest.mark.parametrize("said", [0.0, 0.2, 1.0])
def test_what_a_person_confirmed_is_as_sure_as_its_kind(said: float) -> None:
    assert initial("user_confirmed", said) == initial("admin_manual", said) == 0.9


def test_a_save_carries_the_band_and_not_what_the_detector_said() -> None:
    saved = outcome(case(item(confidence=1.0)))

    assert isinstance(saved, Save)
    assert saved.memory.confidence == initial("agent_extracted", 1.0)


def test_our_own_extractor_stays_within_the_band() -> None:
    (found,) = extract("The Lisbon office closes at 18:00 every day.", None, None, None)

    assert found.confidence == initial("agent_extracted", found.confidence) > 0
