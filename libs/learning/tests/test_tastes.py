"""A preference is filed under its author's name only where it is the author's own (C65)."""

from __future__ import annotations

import pytest

from dw_learning.tastes import speaks_of_another


@pytest.mark.parametrize(
    "text",
    [
        "Ingrid hates long tables.",
        "Ingrid Berg prefers short answers.",
        "She prefers answers in German.",
        "They never want emoji.",
        "For Ingrid: answers in Portuguese only.",
        "Address Bob as Doctor Meier.",
        "Please note, Farid doesn't like bullet points.",
        "Petra mag keine langen Mails.",
        "Für Petra bitte nur kurze Antworten.",
        "Marta prefiere respuestas cortas.",
        "A Marta no le gustan los emojis.",
        "Оксана любить короткі відповіді.",
        "Вона не любить емодзі.",
        "Lan thích câu trả lời ngắn.",
        "Chị ấy muốn câu trả lời ngắn.",
        "田中さんは短い返事が好きです。",
    ],
)
def test_somebody_elses_taste(text: str) -> None:
    assert speaks_of_another(text)


@pytest.mark.parametrize(
    "text",
    [
        "I prefer short answers.",
        "Please answer me in bullet points.",
        "Less emoji in the replies, please.",
        "We like tables better than lists.",
        "Always answer in Portuguese.",
        "Use Celsius, not Fahrenheit.",
        "Ich mag kurze Antworten.",
        "Wir hätten gern Listen.",
        "Bitte immer kurz antworten.",
        "Prefiero las listas a los textos largos.",
        "Я люблю короткі відповіді.",
        "Будь ласка, менше емодзі.",
        "Tôi thích câu trả lời ngắn.",
        "Trả lời em bằng tiếng Việt nha.",
        "日付は2025-11-03の形式で書いてください",
        "I would like dates as 2025-11-03.",
    ],
)
def test_the_authors_own_taste(text: str) -> None:
    assert not speaks_of_another(text)
