"""A bare number that a thing opens with: nobody calls it a code, and it is one ("the till unlocks with 4711")."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from dw_learning.scan.codes import PLACE
from dw_learning.scan.hits import SECRET, Hit

_THING: Final = (
    rf"(?:{PLACE}|cold ?store|stores?|store ?room|fridge|freezer|shed|barn|till|register|cash ?box|cupboard|computer|laptop|pc|screen|ward|room|key ?box|drawer|"
    r"\w{0,14}(?:tur|tor|rechner)|kuhlraum|keller|kasse\w*|rechner|bildschirm|lager|caisse|ordinateur|tablette|caja|ordenador|tableta|cassa|cassetto|caixa|computador|kassa|kelder|kast|lad|kasa|szafk\w+|komputer\w*|"
    r"планшет\w*|кас\w{1,2}|склад\w*|комп.?ютер\w*|шаф\w+|cua\w*|may tinh|kho|tu|dien thoai)"
)
_NUMBER: Final = r"(?P<v>\d{4,8})"
_END: Final = r"(?=\s*(?:\Z|[.!?,;)\n\x00](?!\d)|(?:and|und|y|et|e|en|i|та|auf)\b))"
_HOW: Final = (
    r"(?:(?:opens?(?: up)? (?:with|using)|(?:unlocks?|disarms?) (?:with|using|by|on))(?: the code)?"
    r"|(?:entsperr\w*|offne\w*|geht|schliess\w*)\b[^.!?\n\x00\d]{0,16}\bmit(?: der| dem code)?"
    r"|(?:desbloque\w+|abre\w*|sblocca\w*|apre\w*|deverrouille\w*|ouvre\w*|destranca\w*)(?: (?:con|com|avec|col|no))(?: (?:el codigo|le code|il codice|o codigo))?"
    r"|(?:розблок\w+|відчин\w+|відкрива\w+|разблок\w+|открыва\w+|отпира\w+)(?: (?:кодом|на|з|с|через))?"
    r"|(?:ontgrendel\w*|open\w*|gaat open)\b[^.!?\n\x00\d]{0,12}\bmet(?: code)?"
    r"|(?:odblok\w+|otwier\w+|otworz\w+)\b[^.!?\n\x00\d]{0,12}\b(?:kodem|na|przez)"
    r"|(?:oppna\w*|lases? upp)\b[^.!?\n\x00\d]{0,12}\bmed"
    r"|mo(?: khoa)? (?:bang|voi)(?: ma)?)"
)
_PATTERNS: Final = tuple(
    map(
        re.compile,
        (
            rf"(?<!\w){_THING}\b[^.!?\n\x00\d]{{0,28}}?\b{_HOW}\s+{_NUMBER}{_END}",
            rf"\b(?:entsperr\w*|ontgrendel\w*|unlock\w*) (?:man|je|you|we|wir)? ?(?:mit|met|with) {_NUMBER}{_END}",
            rf"(?<!\w){_THING}\b[^.!?\n\x00\d]{{0,28}}?\b(?:mit|met) {_NUMBER} (?:auf\b|(?:zu |te )?(?:entsperr|offn|open|ontgrendel))",
            rf"(?<![\w.,/#+:-]){_NUMBER} (?:opens?|unlocks?|disarms?) (?:it|them|(?:the|our|my|his|her|every|both) (?:\w+ ){{0,2}}{_THING})\b",
            rf"\b(?:alarm\w*|{_THING})\b[^.!?\n\x00\d]{{0,36}}?\b(?:enter|key in|type|press|punch in) {_NUMBER}{_END}",
            rf"\bget in(?:to)?\b[^.!?\n\x00\d]{{0,28}}?\bwith {_NUMBER}{_END}",
            rf"(?<![0-9A-Za-z.,/#+:-]){_NUMBER} ?で(?:ロック解除|解錠|開|あ[かき])",
            rf"(?<![\w.,/#+:-]){_NUMBER} ?(?:ile|yla|yle|la|le) (?:acil|ac|kilid)\w*",
            rf"\b(?:kap|kasa|alarm|telefon|depo|tablet|bilgisayar|dolap|ofis)\w* (?:sifre|parola)\w* (?:\w+ )?{_NUMBER}{_END}",
            rf"(?<![0-9A-Za-z.,/#+:-]){_NUMBER} ?(?:으?로) ?(?:잠금|열|풀|해제)",
        ),
    )
)
_OPENING: Final = (
    "open", "lock", "bloq", "blocc", "disarm", "sperr", "offne", "öffne", "geht", "schlie", "abre", "apre", "ouvre", "destranca",
    "deverr", "déverr", "розблок", "відч", "відкр", "разблок", "откры", "отпир", "ontgr", "odblok", "otwier", "otw", "ppna",
    "mở ", "mo ", "alarm", "get in", "enter ", "key in", "type ", "press ", "punch in", " auf", "upp ", "で", "ile", "la ", "le ", "şifre", "sifre", "parola", "로",
)  # fmt: skip
_DIGITS: Final = re.compile(r"\d{4}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@lru_cache(maxsize=64)
def may_be_opened(shown: str) -> bool:
    """Whether it is worth to look closer: a number of four digits, and a word for opening."""
    if _DIGITS.search(shown) is None:
        return False
    low = shown.lower()
    return any(sign in low for sign in _OPENING)


def opened_by(folded: str) -> Iterator[Hit]:
    """The numbers; a year is none."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            if _YEAR.fullmatch(match["v"]) is None:
                yield Hit(f"{SECRET}opened_by", "pin", *match.span("v"), 0.8)
