"""How like our rows are to the development sets: rows are to teach the kind, and to copy nothing.

    python libs/learning/training/likeness.py

Lists the pairs that share most of their words. A template that stands too near is written anew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator

from dataset import FILES, given, own
from grammar import Row

from dw_learning.words.tokens import is_unspaced, words

LIMIT = 0.6
FEWEST = 4  # below that many words everybody says the same ("thanks", "works now")


def pieces(text: str) -> frozenset[str]:
    """Words, or pairs of signs where words are not parted. Numbers count as one."""
    if is_unspaced(text):
        return frozenset(text[i : i + 2] for i in range(len(text) - 1))
    return frozenset("#" if word[0].isdigit() else word for word in words(text))


def near(rows: list[Row], others: list[Row]) -> Iterator[tuple[float, Row, Row]]:
    """For each row its nearest among the others, by the share of common pieces."""
    known = [(pieces(other.text), other) for other in others]
    index: dict[str, list[int]] = defaultdict(list)
    for place, (found, _) in enumerate(known):
        for piece in found:
            index[piece].append(place)
    for row in rows:
        mine = pieces(row.text)
        if len(mine) < FEWEST:
            continue
        shared: dict[int, int] = defaultdict(int)
        for piece in mine:
            for place in index.get(piece, ()):
                shared[place] += 1
        scored = ((n / len(mine | known[place][0]), place) for place, n in shared.items())
        best, place = max(scored, default=(0.0, 0))
        yield best, row, known[place][1]


def main() -> int:
    """The pairs, nearest first; status 1 if any stands at the limit."""
    given_rows = [row for file in FILES for row in given(file)]
    pairs = sorted(near(given_rows, own(20)), key=lambda pair: -pair[0])
    for score, row, other in pairs[:40]:
        sys.stdout.write(f"{score:.2f} [{other.group}] {row.text[:90]!r} ~ {other.text[:90]!r}\n")
    return int(bool(pairs) and pairs[0][0] >= LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
