"""Whose taste a sentence speaks of (C43, C65): a preference is its author's only where it speaks of nobody else."""

from __future__ import annotations

import re

# A name, or a pronoun of a third person, and what it likes: "Ingrid hates …", "she prefers …". Names carry a capital;
# the words that may stand before them with one (I, We, Ich) speak of the author.
_NAME = r"(?P<{}>[^\W\d_a-zà-öø-ÿа-яіїєґ][\w’'-]+(?: [^\W\d_a-zà-öø-ÿа-яіїєґ][\w’'-]+){{0,2}})"
_NOT_A_NAME = frozenset(
    """i i'm i'd we you please it this that these those everybody everyone nobody ich wir du ihr sie es man bitte alle
    yo nosotros tú usted por favor eso todos я ми ви ти це прошу будь ласка всі tôi em mình chúng anh chị xin""".split()
)
_TASTES = {
    "en": r"(?:prefers?|likes?|hates?|loves?|dislikes?|wants?|would (?:rather|like|prefer)|(?:doesn['’]t|does not|do not|don['’]t|"
    r"can['’]t|cannot|never) (?:like|want|stand|read|use)|insists?|can['’]t stand|is allergic to|favou?rs?|asked (?:for|to)|"
    r"wishes|appreciates?|only (?:reads?|wants?|likes?|cares?)|always (?:wants?|likes?|prefers?)|needs (?:it|them|his|her))",
    "de": r"(?:mag|hasst|bevorzugt|möchte|will|wünscht|liebt|braucht|liest (?:nur|lieber)|hätte (?:gern|lieber))",
    "es": r"(?:prefiere|odia|quiere|detesta|pide|no (?:soporta|quiere)|le gustan?)",
    "uk": r"(?:воліє|любить|ненавидить|хоче|просить|не (?:любить|терпить|хоче)|надає перевагу|віддає перевагу)",
    "vi": r"(?:thích|ghét|muốn|không (?:thích|muốn))",
}
_SAID = re.compile(
    rf"(?:^|[.!?;:,]\s+|\b(?:and|but|und|y|та|і|và)\s+){_NAME.format('name')}\s+(?:{'|'.join(_TASTES.values())})(?!\w)",
    re.MULTILINE,
)
_PRONOUN = re.compile(
    r"\b(?:he|she|they)\s+(?:\w+\s+)?" + _TASTES["en"] + r"(?!\w)"
    r"|\b(?:er|sie)\s+" + _TASTES["de"] + r"(?!\w)"
    r"|\b(?:él|ella|ellos|ellas)\s+" + _TASTES["es"] + r"(?!\w)"
    r"|\b(?:він|вона|вони)\s+(?:волі[єю]|любит|люблят|ненавид|хоч|прос|не )"
    r"|\b(?:anh ấy|chị ấy|cô ấy|ông ấy|bà ấy|họ)\s+" + _TASTES["vi"] + r"(?!\w)",
    re.IGNORECASE,
)
# What is to be done for somebody who is named: "for Ingrid: …", "address Bob as …", "a Ingrid le gusta".
_FOR = re.compile(
    r"\b(?i:for|to|with|address|call|für|mit|para|con|для|với|cho)\s+(?P<who>[A-ZÀ-ÖØ-ÞА-ЯІЇЄҐ][\w’'-]+)"
    r"(?=\s*(?:[:,;–—-]|\b(?:as|only|always|use|keep|make|write|bitte|immer|nur|por favor|siempre|завжди|лише|luôn)\b))"
    r"|(?:^|[.!?;]\s+)A (?P<whom>[A-ZÀ-Þ]\w+) (?:no )?le "
)
_HONORIFIC = re.compile(r"(?P<jp>[^\s、。]{1,12}(?:さん|様|くん|ちゃん|氏))(?:は|が|も|には|向けに)")


def speaks_of_another(text: str) -> bool:
    """Does a preference name somebody else, or he, she, they, as the one whose taste it is?

    Where in doubt it says yes: then a person decides, and nobody's taste is filed under somebody else's name.
    """
    if _PRONOUN.search(text) or _HONORIFIC.search(text):
        return True
    if any(found["who"] or found["whom"] for found in _FOR.finditer(text)):
        return True
    return any(found["name"].split()[0].casefold() not in _NOT_A_NAME for found in _SAID.finditer(text))
