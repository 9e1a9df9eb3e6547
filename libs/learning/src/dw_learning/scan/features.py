"""What the learned part of the injection scan sees of a block: concepts, and which of them stand together."""

from dw_learning.scan import concepts as c
from dw_learning.scan.block import Block

NEAR = 44
NAMES = {
    name: value
    for name, value in vars(c).items()
    if name.isupper() and isinstance(value, int) and value.bit_count() == 1
}
_NAME_OF = {value: name for name, value in NAMES.items()}
_LEFT_OUT = c.SECRET_WORDS | c.SPELL | c.HALF | c.LOCK | c.TURNED | c.SHARING | c.CODE_WORD
USED = sum(bit for bit in NAMES.values() if not bit & _LEFT_OUT)


def names_of(bits: int) -> list[str]:
    """The names of the concepts used, in the order of their bits."""
    out: list[str] = []
    bits &= USED
    while bits:
        lowest = bits & -bits
        out.append(_NAME_OF[lowest])
        bits ^= lowest
    return out


def features(part: Block) -> set[str]:
    """`A` for a concept, `A+B` for two of them close together, `^A` for what the text begins with."""
    out = set(names_of(part.mask))
    said = [mark for mark in part.said if mark.bits & USED]
    named = [names_of(mark.bits) for mark in said]
    for index, mark in enumerate(said):
        for later in range(index + 1, len(said)):
            if said[later].start - mark.end > NEAR:
                break
            for one in named[index]:
                for other in named[later]:
                    if one != other:
                        out.add(f"{one}+{other}" if one < other else f"{other}+{one}")
    if said and said[0].start - part.start <= 12:
        out.update(f"^{name}" for name in named[0])
    if part.is_question:
        out.add("?")
    return out
