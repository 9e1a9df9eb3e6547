"""Forgiving a slip of the finger: one letter too many, too few, another one, or two in the wrong order."""

from __future__ import annotations

from functools import lru_cache

from dw_learning.history.glossary import Glossary

MIN_WORD = 5
MAX_FOUND = 3


def corrected(word: str, glossary: Glossary) -> list[str]:
    """Words of the glossary that were probably meant; nothing for short words and numbers."""
    if len(word) < MIN_WORD or not word.isalpha():
        return []
    index = _deletions(glossary.words)
    near = {known for key in (word, *_without_one(word)) for known in index.get(key, ())}
    return sorted(known for known in near if is_slip(word, known))[:MAX_FOUND]


def is_slip(left: str, right: str) -> bool:
    """One edit apart: insert, delete, replace or swap neighbours; two from nine letters on."""
    return distance(left, right) <= (2 if min(len(left), len(right)) >= 9 else 1)


def distance(left: str, right: str) -> int:
    """Edits between two words, neighbours swapped counting as one."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        after = [i]
        for j, other in enumerate(right, start=1):
            cost = min(row[j] + 1, after[j - 1] + 1, row[j - 1] + (one != other))
            if i > 1 and j > 1 and one == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            after.append(cost)
        before, row = row, after
    return row[-1]


@lru_cache(maxsize=64)
def _deletions(words: frozenset[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for word in words:
        if len(word) >= MIN_WORD and word.isalpha():
            for key in (word, *_without_one(word)):
                found[key] = (*found.get(key, ()), word)
    return found


def _without_one(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(len(word))}
