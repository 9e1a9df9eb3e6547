"""Whose word it is, and how sure (C55): what is told, denied, guessed, pasted or over is saved by nobody's word."""

from __future__ import annotations

import pytest

from dw_learning.doubt import is_plain
from dw_learning.own_words import said

FACT = "The Siena office closes at 18:00."
NOT_PLAIN = (
    f"guest42  10:31 AM\n{FACT}", f"guest42\n10:31\n{FACT}", f"Von: gast\nGesendet: Montag\nBetreff: Siena\n{FACT}",
    f"Lähettäjä: vieras\nAihe: x\n{FACT}", f"RT @guest42: {FACT}", f"@guest42: {FACT}", f"10:31 <guest> {FACT}",
    f"Guest | {FACT}", f"Guest — {FACT}", f"(Guest) {FACT}", f"**Guest** {FACT}", f"FW {FACT}", f"via Guest\n{FACT}",
    f"copied from the website\n{FACT}", f"{FACT}\nMit freundlichen Grüßen\nGast", f"{FACT} -- guest42",
    "It's not true that the Siena office closes at 18:00.", f"{FACT} This is wrong.", f"{FACT} Das ist falsch.",
    "Il est faux que le bureau ferme à 18h.", "Es stimmt nicht, dass das Büro um 18 Uhr schließt.",
    "Kevin thinks the Siena office closes at 18:00.", "D'après Kevin, le bureau ferme à 18h.", f"{FACT[:-1]}, per Kevin.", f"{FACT[:-1]}, Kevin wrote.",
    "Według Kevina biuro zamyka się o 18.", "据凯文说，办公室下午六点关门。", "Kevin cree que la oficina cierra a las 18:00.",
    "Apparently the Siena office closes at 18:00.", "Das Büro schließt wohl um 18 Uhr.", "Creo que cierra a las 18:00.",
    "Il paraît que le bureau ferme à 18h.", "オフィスは18時に閉まるらしい。", "Hình như văn phòng đóng cửa lúc 18 giờ.",
    "Früher schloss das Büro um 18 Uhr.", "In the movie the office closes at 18:00.", "Heute schließt das Büro um 18 Uhr.",
)  # fmt: skip
PLAIN = (
    FACT, f"No, that's wrong: {FACT}", f"Hi team\n{FACT}", f"Update — {FACT}", f"@all: {FACT}", f"@it_agent: {FACT}",
    "Falsch, das Büro in Siena schließt um 18 Uhr.", "The office – on floor 2 – closes at 18:00.",
    "Merkt euch: das Büro schließt um 18 Uhr.", "Ні, офіс зачиняється о 18:00.", f"{FACT}\nThe garage closes at 20:00.",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_is_not_the_senders_own_plain_word(text: str) -> None:
    assert not is_plain(text)
    assert not said(FACT, text)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is(text: str) -> None:
    assert is_plain(text)
