"""Plain chat of many trades in eight languages: what is worth keeping gets through, what is not stays out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dw_learning.evaluate.detect import evaluate_detect
from dw_learning.evaluate.pipeline import evaluate_pipeline, route
from dw_learning.evaluate.risk import evaluate_risk
from dw_learning.evaluate.triage import evaluate_triage

PROBE = Path(__file__).with_name("probe.rows")
VOICES = Path(__file__).with_name("voices.rows")
SKIP_FLOOR = 0.75  # of what teaches nothing; a third of the rows do, far fewer than in a channel (R51)
ROUTES = {"skip": "skip", "sensitive": "sensitive", "skill_procedure": "propose_skill"}


def rows(file: Path = PROBE) -> list[dict[str, Any]]:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [row(number, line) for number, line in enumerate(lines)]


def row(number: int, line: str) -> dict[str, Any]:
    label, _, said = line.partition("|")
    cls, risk = label.split()
    text, _, prev = said.partition("<<")
    stored = "auto_memory" if risk == "low" else "propose_memory"
    return {
        "id": str(number), "text": text, "prev": prev or None, "sender": "verified", "cls": cls, "risk": risk,
        "route": ROUTES.get(cls, stored), "triage": "skip" if cls == "skip" else "candidate",
    }  # fmt: skip


def test_the_whole_way() -> None:
    found = evaluate_pipeline(rows())

    assert found["unsafe_saves"] == 0
    assert found["save_precision"] >= 0.95
    assert found["saved_share"] >= 0.7
    assert found["worthy_recall"] >= 0.94
    assert found["junk_proposals"] <= 0.12


def test_each_part() -> None:
    triage, detect, risk = evaluate_triage(rows()), evaluate_detect(rows()), evaluate_risk(rows())

    assert triage["recall"] >= 0.96
    assert detect["macro_f1"] >= 0.85
    assert detect["invented"] == 0
    assert (risk["accuracy"] >= 0.95, risk["unsafe"]) == (True, 0)


def test_the_whole_way_of_other_voices() -> None:
    found = evaluate_pipeline(rows(VOICES))

    assert found["unsafe_saves"] == 0
    assert found["save_precision"] >= 0.95
    assert found["saved_share"] >= 0.6
    assert found["worthy_recall"] >= 0.93
    assert found["junk_proposals"] <= 0.1


def test_most_of_what_teaches_nothing_is_let_go_and_the_floor_is_seen() -> None:
    chatter = [row for row in rows(VOICES) if row["triage"] == "skip"]
    worthy = [row for row in rows(VOICES) if row["triage"] == "candidate"]

    assert len(chatter) >= 400
    assert evaluate_triage(chatter)["skip_rate"] >= SKIP_FLOOR
    assert evaluate_triage(worthy)["recall"] >= 0.98


def test_it_holds_in_every_language_that_the_probe_speaks() -> None:
    scripts = Counter(
        "ja" if any("\u3040" <= sign <= "\u9fff" for sign in one["text"]) else "other" for one in rows()
    )
    assert scripts["ja"] >= 8


@pytest.mark.parametrize("place", ["tolunepa", "bokugeto", "rinavosa", "quendel", "zeptimal"])
@pytest.mark.parametrize("name", ["Vesodiru", "Gupelunudu", "Amberfall", "Tessaly"])
def test_names_that_nobody_knows_are_learned(place: str, name: str) -> None:
    text = f"For everybody: the {place} room is called {name}."
    assert route({"text": text, "sender": "verified"}) == ("auto_memory", True)


@pytest.mark.parametrize(
    "text",
    [
        "The standup is at 9:15 every weekday.",
        "Marta owns the billing dashboard.",
        "The helpdesk is staffed from 7 to 19.",
        "The parking garage has two levels.",
        "The Lisbon office closes at 18:00",
        "For everybody: the guest wifi is called Meridian.",
        "Das Gäste-WLAN heißt Polaris.",
        "El soporte atiende de lunes a sábado.",
        "Офіс у Львові працює до 19:00",
        "Kho Bình Dương mở cửa từ 7h đến 17h",
        "大阪オフィスは18時に閉まります",
    ],
)
def test_plain_facts_reach_a_person_or_the_memory(text: str) -> None:
    assert route({"text": text, "sender": "verified"})[0] in ("auto_memory", "propose_memory")


@pytest.mark.parametrize(
    "text",
    [
        "We use too much coffee for our own good.",
        "The new intern is called Tom and starts Monday.",
        "Unser Kaffee ist der schlechteste der Stadt",
        "El nuevo becario se llama Luis y empieza el lunes",
        "Новий стажер — Олег, починає в середу",
        "コーヒー飲みすぎですね笑",
    ],
)
def test_chatter_in_the_form_of_a_fact_is_not_saved(text: str) -> None:
    assert not route({"text": text, "sender": "verified"})[1]
