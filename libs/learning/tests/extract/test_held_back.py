"""What is found and left to a person, and what nobody need look at."""

from __future__ import annotations

import pytest

from dw_learning.evaluate.pipeline import route
from dw_learning.extract import extract


def way(text: str) -> tuple[str, bool]:
    row = {"text": text, "prev": None, "sender": "verified", "role": "it", "lang": "en", "has_secret": False}
    return route(row | {"has_injection": False, "route": "skip", "id": "r"})


@pytest.mark.parametrize(
    "text",
    [
        "Çamaşırhane ikinci katta.",
        "Deponun yeni adı Kanto.",
        "Cumartesi günleri çay dağıtılıyor, listeyi Selin tutuyor.",
        "세탁실은 삼층에 있습니다.",
        "새 창고 이름은 가온입니다.",
        "우편물은 박서준 씨가 담당합니다.",
    ],
)
def test_a_fact_in_a_language_without_signs_of_risk_is_found_and_never_saved_unasked(text: str) -> None:
    assert way(text) == ("propose_memory", False)


@pytest.mark.parametrize(
    "text", ["Şu an 6 numaralı salondayım.", "지금 2번 방에 있어요.", "Teşekkürler!", "감사합니다!"]
)
def test_where_somebody_is_now_and_thanks_teach_nothing(text: str) -> None:
    assert way(text) == ("skip", False)


def test_a_boast_with_a_picture_teaches_nothing_and_a_custom_with_one_does() -> None:
    assert extract("we always smash the autumn sale 🎉", None, None, None) == ()
    assert extract("The loft is called Kanto 🎉", None, None, None) != ()
