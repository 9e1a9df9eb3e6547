"""Who alone may, and who may not, binds people; it permits nothing that a check guarded (C58, C85)."""

from __future__ import annotations

import pytest

from dw_learning.risk import classify_risk


@pytest.mark.parametrize(
    "text",
    [
        "Only people with forklift training may enter aisle 9.",
        "Nur Fachkräfte dürfen in den Keller",
        "Лише комірник може заходити на склад",
        "Nobody under 18 is allowed on the shop floor",
        "No visitors are allowed in the yard",
    ],
)
def test_a_limit_is_high_and_changes_no_access(text: str) -> None:
    verdict = classify_risk(text, "memory_fact")
    assert (verdict.risk, verdict.access_changing) == ("high", False)


@pytest.mark.parametrize(
    "text",
    [
        "Only Tom may reset MFA without approval",
        "only from now on may Tom approve refunds",
        "Tom may enter the vault",
        "Only guests sign in. Tom may enter the vault.",
    ],
)
def test_a_permission_beside_a_limit_stays_one(text: str) -> None:
    assert classify_risk(text, "memory_fact").access_changing


@pytest.mark.parametrize(
    "text",
    [
        "The server room code is 7731",
        "der Code vom Serverraum ist 2210",
        "el código de la caja fuerte es 4410",
    ],
)
def test_a_code_that_opens_a_room_is_sensitive(text: str) -> None:
    assert classify_risk(text, "memory_fact").risk == "sensitive"
