"""A bare number that something opens with is a code, whatever it is called; a time, a year and an extension are none."""

from __future__ import annotations

import pytest

from dw_learning.scan import redact, scan_secrets

TOLD = [
    "The darkroom cupboard unlocks with 7391.",
    "to disarm the shed it's easy, 58213 opens the barn",
    "Das Hallentor geht mit 6642 auf",
    "Der Kassenrechner lässt sich mit 90514 entsperren, man entsperrt mit 90514.",
    "La caja se abre con 2871.",
    "La tablette se déverrouille avec 60938.",
    "For the barn enter 4711.",
    "The cupboard: type 4711.",
    "On the drawer press 83105.",
    "The gate: key in 4711.",
    "The shed: punch in 4711",
    "We get into the depot with 60218.",
    "Die Tür macht man mit 4711 auf.",
    "Dörren låses upp med 4711.",
    "Планшет на кухні розблоковується кодом 5127.",
    "Depo 4417 ile açılıyor.",
    "倉庫は8264で開きます。",
]
PLAIN = [
    "The store opens by 0900 on weekdays.",
    "The museum shop opened in 1987.",
    "If the alarm rings, dial 4412.",
    "The hall opens with 1200 seats this season.",
    "Room 4711 is on the fourth floor.",
    "The ticket 48213 opens a new chapter for us.",
    "Der Markt öffnet 2026 wieder.",
    "La exposición abre con 3000 visitantes.",
]


@pytest.mark.parametrize("text", TOLD)
def test_the_number_is_taken_out(text: str) -> None:
    shown = redact(text, scan_secrets(text))
    assert not any(sign.isdigit() for sign in shown), shown


@pytest.mark.parametrize("text", PLAIN)
def test_other_numbers_stay(text: str) -> None:
    assert scan_secrets(text) == ()
