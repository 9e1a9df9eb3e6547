"""Light stemming: an ending goes where enough of the word is left. One rule set a script, not a language (C81).

A message does not say its language, and people mix them. So Latin words lose English, German and Spanish endings
alike, Cyrillic ones the Ukrainian endings. It need not be right, only the same for what was said and what is asked.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MIN_STEM = 4
_LATIN = tuple(
    sorted(
        """imientos imiento aciones ación acion adores ador iendo ando ados adas idos idas ado ada ido ida mente ungen ung
        keiten keit heiten heit ations ation ions ion ings ing ied ies ers ern est ens en er em es ed et te ten os as ar ir
        e s a o y""".split(),
        key=len,
        reverse=True,
    )
)
_CYRILLIC = tuple(
    sorted(
        """ування ювання ується юється уються ається яється аються ться тися тись лася лося лися вся ення іння ання ями ами ом ем єм
        ові еві ого ому ими ої ою ею єю ій ий их им ів їв ах ях ам ям ать ять ить іть ати яти ити іти ути ти ла ло ли
        ує ає є ь а я у ю и і ї о е й в""".split(),
        key=len,
        reverse=True,
    )
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a folded word; marks of Latin letters and apostrophes are gone from it."""
    plain = without_latin_marks(word).replace("'", "").replace("’", "")
    if len(plain) < MIN_STEM or any(sign.isdigit() for sign in plain):
        return plain
    first = plain[0]
    if "\u0400" <= first <= "\u04ff":
        return _cut(plain, _CYRILLIC, 3)
    return _undoubled(_cut(plain, _LATIN, MIN_STEM)) if first < "\u0250" else plain


def _cut(word: str, endings: tuple[str, ...], least: int) -> str:
    for ending in endings:
        if len(word) - len(ending) >= least and word.endswith(ending):
            return word[: -len(ending)]
    return word[:-1] if len(word) == MIN_STEM and word.endswith("s") and word[-2] not in "sui" else word


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > MIN_STEM and word[-1] == word[-2] and word[-1] not in "aeiou" else word


@lru_cache(maxsize=65_536)
def without_latin_marks(word: str) -> str:
    """`reunión` as `reunion`. Other scripts keep their marks, which tell letters apart there (й is not и)."""
    if word.isascii():
        return word
    kept: list[str] = []
    latin = False
    for sign in unicodedata.normalize("NFD", word):
        if unicodedata.combining(sign):
            if not latin:
                kept.append(sign)
            continue
        latin = sign.isascii() or "\u00c0" <= sign <= "\u024f" or "\u1e00" <= sign <= "\u1eff"
        kept.append({"đ": "d", "ł": "l", "ø": "o"}.get(sign, sign))
    return unicodedata.normalize("NFC", "".join(kept))
