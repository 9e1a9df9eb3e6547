"""Facts that may be a rule, an order or a boast: a person decides about them, or nobody need look."""

from __future__ import annotations

import re

from dw_learning.extract.item import Kind
from dw_learning.words.cues import Reading

UNSIGNED = frozenset({"tr", "ko"})  # found, and always a person's to decide
_WE = (["we"], ["wir"], ["nosotros"], ["ми"], ["nous"], ["wij"], ["vi"], ["nós"], ["noi"])
_ORDERS = tuple(
    [word]
    for word in """skip let give grant allow approve accept ignore trust treat open unlock reset pay release waive
    lass lasst gib gebt öffne bezahlt zahl pon poned dale dadle deja dejad salta paga pagad дай дайте дозволь дозвольте
    пропускай плати cho cứ laisse laissez donne donnez paie payez geef laat betaal ge låt deixa dá lascia date dai""".split()
)
_CHEERS = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]\\s*$")
_FIRM = frozenset(
    """always never without nothing nobody must immer nie niemals ohne kein keine niemand siempre nunca jamás sin
    ningún ninguna nada nadie завжди ніколи без жоден жодна ніхто toujours jamais sans aucun aucune rien personne altijd
    nooit zonder geen alltid aldrig utan ingen inget sempre mai senza nessun sem nenhum nenhuma zawsze nigdy bez żaden""".split()
)
_FIRM_UNSPACED = ("必ず", "絶対", "なしで", "一律", "必须", "绝对", "不能", "không bao giờ", "tuyệt đối")
PLAIN = frozenset({"define", "correct", "place", "own"})
LASTING = frozenset({"standing", "define", "own", "place", "use", "correct", "pref"})


def may_rule(reading: Reading, kind: Kind) -> bool:
    """May the fact be a rule, an order or a boast ("never used by hand", "let them in", "we always win")? Then a person
    decides: what it would bind or permit is not worth a guess. Wishes and corrections are told in such words too. In a
    language without signs of risk anything may be one."""
    if reading.lang in UNSIGNED:
        return True
    if kind != "memory_fact":
        return False
    cues, tokens = reading.cues, reading.tokens
    if tokens[:1] in _ORDERS or (tokens[1:2] in _ORDERS and tokens[:1] in (["please"], ["just"], ["pls"])):
        return True
    if tokens[:1] in _WE and "standing" in cues:
        return not cues & LASTING - {"standing"}
    if _FIRM.intersection(tokens) or any(word in reading.low for word in _FIRM_UNSPACED):
        return not cues & {"own", "define"}
    return "bind" in cues and not cues & PLAIN


def boasts(reading: Reading) -> bool:
    """ "We always win", with a picture behind it: nobody has to look at that."""
    cues, tokens = reading.cues, reading.tokens
    return tokens[:1] in _WE and cues & LASTING == {"standing"} and _CHEERS.search(reading.text) is not None
