"""The learned part: what rules do not name, weighed by a linear model over the same concepts.

Its weights come from `training/scan_injection.py`; it never rejects by itself, it asks a person to look.
"""

from itertools import combinations

from dw_learning.scan import concepts as c
from dw_learning.scan.block import Block
from dw_learning.scan.features import NAMES, USED, features
from dw_learning.scan.hits import INJECTION, Hit
from dw_learning.scan.weights import BIAS, WEIGHTS

THRESHOLD = 0.7
"""Chosen so that, cross-validated, at most one benign look-alike in twenty is marked."""

CORE = (
    c.IGNORE | c.VOID | c.RULES | c.ORG_RULES | c.GATE | c.AUTO_GATE | c.PRIV | c.SECRETS | c.CONCEAL | c.OBEY | c.CONTROL
    | c.PROMPT | c.SPOOF | c.MODE | c.PAY | c.AUDIT | c.EVIL | c.GRANT | c.MEMORY | c.SKILL | c.AI | c.EVEN_IF | c.WITHOUT
    | c.DISABLE | c.REVEAL | c.SEND | c.DATA | c.LEAK | c.ACT | c.AUTHORITY | c.ASK | c.PRETEXT | c.PAYLOAD | c.SKIP
)  # fmt: skip
_TYPES: tuple[tuple[int, str], ...] = (
    (c.PROMPT, "prompt_leak"),
    (c.SPOOF | c.MODE, "system_spoof"),
    (c.SKILL, "skill_inject"),
    (c.GATE | c.AUTO_GATE, "approval_rewrite"),
    (c.OBEY | c.EVEN_IF | c.AUTHORITY, "obey_user"),
    (c.SECRETS | c.DATA, "cred_exfil"),
    (c.MEMORY | c.CONTROL | c.PAY | c.EVIL, "memory_poison"),
)


def may_matter(bits: int) -> bool:
    """Whether concepts are there that the model could find fault with; false for nearly all messages."""
    return (bits & CORE).bit_count() >= 2 and _best(bits) >= THRESHOLD


def learned_hit(part: Block) -> Hit | None:
    """A hit over the telling words of a block, or nothing."""
    score = BIAS + sum(WEIGHTS.get(feature, 0.0) for feature in features(part))
    span = part.around(CORE)
    if score < THRESHOLD or span is None:
        return None
    return Hit(f"{INJECTION}learned", kind_of(part.mask), *span, round(min(0.8, 0.5 + score / 20), 2))


def kind_of(bits: int) -> str:
    """What an attack with these concepts is most likely after."""
    return next((name for wanted, name in _TYPES if bits & wanted), "ignore_policy")


def _bit(name: str) -> int:
    value: int = getattr(c, name)
    return value


_SINGLES = {
    bit: WEIGHTS.get(name, 0.0) + max(0.0, WEIGHTS.get(f"^{name}", 0.0))
    for name, bit in NAMES.items()
    if bit & USED
}
_PAIRS = {
    _bit(feature.split("+")[0]) | _bit(feature.split("+")[1]): weight
    for feature, weight in WEIGHTS.items()
    if "+" in feature and weight > 0
}


def _best(bits: int) -> float:
    """The highest score that these concepts could have in any order."""
    present: list[int] = []
    bits &= USED
    while bits:
        present.append(bits & -bits)
        bits &= bits - 1
    score = BIAS + sum([_SINGLES[bit] for bit in present])
    return score + sum([_PAIRS.get(one | other, 0.0) for one, other in combinations(present, 2)])
