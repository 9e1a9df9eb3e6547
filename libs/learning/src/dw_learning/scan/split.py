"""Tokens given in pieces: cut by spaces, lines or quotes, or sent as halves."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.shapes import _TOKEN, looks_random

_PREFIX = re.compile(
    r"(?<![A-Za-z0-9_])(?:A\W{0,2}K\W{0,2}I\W{0,2}A|ASIA|g\W?h\W?[pousr]\W{0,2}_|github_pat_|glpat-|[srp]k_(?:live|test)_|xox[a-z]-|AIza|sk-(?:ant-|proj-)?|hf_|npm_|hvs\.|SG\.|pypi-|eyJ)"
)
_NEXT = re.compile(
    r"[\s\"'`+\\,.|…>-]{1,6}(?:(?:and|then|plus|und|dann|y|luego|та|далі|и|дальше|rest|the rest|rest is|the rest is|et|puis|poi|e|depois|potem|i)[\s:\"'`]+){0,2}(?P<bit>[A-Za-z0-9_-]{2,40})"
)
_GOES_ON = re.compile(r"[A-Za-z0-9_-]{0,40}")
_LENGTHS = {"A": 20, "g": 40, "s": 32, "r": 32, "p": 32}
_HALVES = re.compile(
    r"half|part|piece|hälfte|halfte|teil|час|полов|перш|перв|mitad|moitie|primera|pierwsz|metade|meta|phan"
)
_HALF = re.compile(
    r"(?:first|second|third|1st|2nd|last|other|erste|zweite|letzte|перша|друга|перший|другий|первая|вторая|primera|segunda|premiere|deuxieme|"
    r"pierwsza|druga|primeira|prima|seconda|phan)\s*(?:half|part|piece|bit|chunk|halfte|teil|половина|частина|часть|mitad|parte|moitie|partie|"
    r"polowa|czesc|metade|meta|dau|sau|hai|1|2)?(?:\s+(?:of|von|de|del|du|di|van)\s+(?:\w{1,6}\s+)?\w{1,12})?\s*(?:is|ist|es|est|la|to|це|это|:|=|-|—)*\s*[\"'`]?(?P<bit>[^\s\"'`]{5,64})"
    r"|(?:part|teil|частина|часть|parte|partie|phan|half)\s*[12]\s*(?:of 2|/2)?\s*(?:is|:|=|-)+\s*[\"'`]?(?P<bit2>[^\s\"'`]{5,64})"
)


def split_tokens(shown: str, folded: str) -> Iterator[Hit]:
    """The pieces of a token that is whole only when they are put together; spans are of `shown`."""
    for match in _PREFIX.finditer(shown):
        yield from _gathered(match, shown)
    for match in _HALF.finditer(folded) if _HALVES.search(folded) else ():
        group = "bit" if match["bit"] else "bit2"
        start, end = match.span(group)
        value = shown[start:end].rstrip(".,;")
        if (
            any(ch.isdigit() for ch in value)
            and any(ch.isalpha() for ch in value)
            and looks_random(value, 2.2) | (len(value) < 8 and shown[start - 2 : start].strip(" ") != "")
        ):
            yield Hit(f"{SECRET}split", "token", start, start + len(value), 0.8)


def _gathered(match: re.Match[str], shown: str) -> Iterator[Hit]:
    """Takes random-looking pieces after a known beginning until the token is complete."""
    letters = re.sub(r"\W", "", match[0])
    whole = _GOES_ON.match(shown, match.end())
    text = match[0] if letters != "AKIA" else "AKIA"
    text += whole[0] if whole else ""
    end = whole.end() if whole else match.end()
    pieces = 0
    while len(text) < _LENGTHS.get(text[0], 34) and pieces < 20:
        step = _NEXT.match(shown, end)
        if step is None or not _random_piece(step["bit"], text):
            break
        text += step["bit"]
        end = step.end()
        pieces += 1
    if (
        (pieces or letters != match[0])
        and len(text) >= 18
        and _TOKEN.match(text)
        and sum(ch.isdigit() for ch in text) >= 2
    ):
        yield Hit(f"{SECRET}split", "token", match.start(), end, 0.85)


def _random_piece(bit: str, so_far: str) -> bool:
    if so_far.startswith(("AKIA", "ASIA")):
        return bit.isupper() or bit.isdigit()
    return any(ch.isdigit() for ch in bit) or (not bit.islower() and not bit.istitle() and len(bit) >= 3)
