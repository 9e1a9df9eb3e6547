"""Wallet seed phrases: runs of words from the public BIP-39 list, whatever is or is not said beside them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from dw_learning.scan.hits import SECRET, Hit

_WORD = re.compile(r"[a-z]{3,8}(?![^\W_])")
_BETWEEN = re.compile(r"[\s,;/|\"'`.)(:#*•·-]{0,6}(?:\d{1,2}[\s.):#-]{1,3})?")
LEAST = 11
_MOST_PLAIN = 0.25
_SENTENCE = frozenset(
    "about above all among any can come into must most need only open other over some such than that then there they this "
    "under until what when will you your give have keep know like make man off one own say see use very way where why more "
    "much again between both down few first from here her him his how just".split()
)
"""Words of the list that sentences are made of: where they are many, people are talking."""


@lru_cache(maxsize=1)
def _list() -> frozenset[str]:
    return frozenset((files("dw_learning.scan") / "seed_words.txt").read_text(encoding="ascii").split())


def may_be_seed(words: list[str]) -> bool:
    """Whether a run of words could be listed ones: samples the words, so a sentence costs a look or two."""
    if len(words) < LEAST:
        return False
    known = _list()
    if len(words) >= 2 * LEAST and sum([word[0].isdigit() for word in words]) >= LEAST:
        words = [word for word in words if not word[0].isdigit()]
    for at in range(9, len(words), 5):
        if (
            _bare(words[at]) in known
            and _bare(words[at - 5]) in known
            and all(_bare(word) in known for word in words[at - 4 : at])
        ):
            first = max(0, at - LEAST)
            if sum([_bare(word) in known for word in words[first : at + LEAST]]) >= LEAST:
                return True
    return False


def may_list(folded: str) -> bool:
    """Whether enough words of the list stand anywhere."""
    return sum(map(_list().__contains__, _WORD.findall(folded))) >= LEAST


def _bare(word: str) -> str:
    return word if word.isalpha() and word.islower() else word.strip("0123456789.,;:()\"'`*/|-#").lower()


def listed_seeds(folded: str) -> Iterator[Hit]:
    """Eleven or more words of the list one after the other, numbered or not, few of which sentences need."""
    known = _list()
    if not may_list(folded):
        return
    run: list[tuple[str, int, int, str]] = []
    for match in _WORD.finditer(folded):
        start = match.start()
        if start and (folded[start - 1].isalnum() or folded[start - 1] in "_\x00"):
            continue
        if match[0] not in known:
            yield from _run(run)
            run = []
            continue
        gap = folded[run[-1][2] : start] if run else ""
        if run and (_BETWEEN.fullmatch(gap) is None or (":" in gap and not any(map(str.isdigit, gap)))):
            yield from _run(run)
            run, gap = [], ""
        run.append((match[0], start, match.end(), gap))
    yield from _run(run)


def _run(run: list[tuple[str, int, int, str]]) -> Iterator[Hit]:
    """The run as one secret, without the last words of a line that ends where the list begins."""
    for count in range(1, min(4, len(run) - LEAST + 1)):
        if "\n" in run[count][3] and not any("\n" in gap for *_, gap in run[count + 1 :]):
            run = run[count:]
            break
    plain = sum(word in _SENTENCE for word, *_ in run)
    if len(run) >= LEAST and plain <= len(run) * _MOST_PLAIN:
        yield Hit(f"{SECRET}seed_phrase", "seed_phrase", run[0][1], run[-1][2], 0.92)
