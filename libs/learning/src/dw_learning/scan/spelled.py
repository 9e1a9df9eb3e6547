"""Secrets read aloud: number words, letters one by one, spelling alphabets, names of signs."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import SECRET, Hit

_NUMBERS = (
    "zero oh one two three four five six seven eight nine ten double triple null eins zwei zwo drei vier funf sechs sieben acht neun "
    "cero uno dos tres cuatro cinco seis siete ocho nueve нуль один два три чотири п'ять шість сім вісім дев'ять "
    "ноль четыре пять шесть семь восемь девять khong mot hai ba bon tu nam sau bay tam chin zero un deux trois quatre "
    "cinq six sept huit neuf zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec um dois quatro sete oito nove "
    "due tre quattro cinque sei sette otto sifir bir iki uc dort bes alti yedi sekiz dokuz"
)
_NATO = (
    "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec "
    "romeo sierra tango uniform victor whiskey xray x-ray yankee zulu anton berta casar dora emil friedrich gustav heinrich "
    "ida julius kaufmann ludwig martha nordpol otto paula quelle richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias"
)
_CASES = "capital upper lower uppercase lowercase small big caps gross gros klein mayuscula minuscula велика мала большая маленькая majuscule minuscule hoa thuong"
_SIGNS = (
    "dash hyphen minus dot point period underscore dollar hash hashtag pound at ampersand percent star asterisk exclamation bang slash "
    "plus equals question caret tilde mark sign ausrufezeichen bindestrich unterstrich raute punkt fragezeichen guion arroba almohadilla "
    "exclamacion дефіс крапка решітка підкреслення оклик знак дефис точка решетка подчеркивание восклицательный gach cham than"
)
_FILLERS = "then and followed by as in like letter number digit und dann y luego і та потім и потом roi"


def _words(text: str) -> str:
    return "|".join(
        sorted(
            {re.escape(w) for w in text.replace("й", "и").replace("ї", "і").split()}, key=len, reverse=True
        )
    )


NUMBER_WORDS = re.compile(
    rf"(?<![^\W_])(?:(?:{_words(_NUMBERS)})(?![^\W_])[\s,.·-]{{0,3}}){{4,12}}|[〇零一二三四五六七八九]{{4,8}}"
)
"""Four or more digits said in words, on folded text."""

_UNIT = rf"(?:{_words(_NUMBERS + ' ' + _NATO + ' ' + _CASES + ' ' + _SIGNS + ' ' + _FILLERS)}|[a-zа-яіїєґ0-9]|\d{{1,4}})"
_READ_OUT = re.compile(rf"(?<![^\W_])(?:{_UNIT}(?![^\W_])[\s,;.·-]{{1,3}}){{5,80}}{_UNIT}(?![^\W_])")
_CLEAR = re.compile(rf"(?<![^\W_])(?:{_words(_NATO + ' ' + _SIGNS + ' ' + _CASES)})(?![^\W_])")
_PLAIN = re.compile(rf"(?<![^\W_])(?:{_words(_FILLERS)}|a|i)(?![^\W_])")


def read_out(folded: str, near: bool) -> Iterator[Hit]:
    """A value spelled sign by sign; away from a word for secrets only if it names signs or a spelling alphabet."""
    for match in _READ_OUT.finditer(folded):
        units = re.findall(r"[^\W_]+", match[0])
        clear = len(_CLEAR.findall(match[0]))
        solid = len(units) - len(_PLAIN.findall(match[0]))
        singles = sum(len(unit) == 1 for unit in units)
        if (near and solid >= 5 and (clear >= 1 or singles >= 4)) or (solid >= 8 and clear >= 4):
            yield Hit(f"{SECRET}spelled_out", "password", match.start(), match.end(), 0.8)
