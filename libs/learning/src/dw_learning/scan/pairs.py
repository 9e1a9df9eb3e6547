"""What opens something without a word for a password right beside it: logins as pairs, words at a prompt, phrases."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.values import MEDIUM, is_chosen, strength

_AND = r"(?:\s*(?:/|\||:|,|;|\+|->)\s*(?:(?:and )?then |dann |luego |puis )?|\s+(?:and(?: then)?|then|und|dann|y|et|e|i|та|і|и|с|mit|with|con|avec|z|using|pw|plus)\s+)"
_ACCOUNT = (
    r"(?:admin|manager|cashier|reception(?:ist)?|front ?desk|operator|supervisor|teacher\d*|student\d*|kiosk\d*|kasse\d*|caja\d*|caisse\d*|kassa\d*|scanner|kitchen|administrador|administrateur|root|guest|gast|sa|pi|ubuntu|ec2-user|postgres|superuser|sysadmin|"
    r"(?:user(?:name)?|login|account|acct|usuario|utilisateur|benutzer|логін|логин|користувач(?:ем)?|користувача)\s*[:=]?\s+[\w.@+-]{2,40}|"
    r"(?:svc|ops|adm|dba|backup|deploy|jenkins|service)[-_.]\w[\w.-]{0,30}|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10})"
)
_PAIR = re.compile(rf"(?<![\w/@.-]){_ACCOUNT}{_AND}[\"'`“„«]?(?P<v>[^\s\"'`“”„«»,;\x00]{{6,64}})")
_LISTED = re.compile(
    r"(?:^|[\s(:,;|>-])(?:[\w.@+-]{2,40}\s(?:/|//|\|)\s|[\w@+-]{2,40}/)[\"'`]?(?P<v>[^\s\"'`,;|/\x00]{7,64})(?=[\"'`),.;|]*(?:\s|$))",
    re.MULTILINE,
)
_TOLD_PAIR = re.compile(
    r"(?:\b(?:it's|its|is|use|try|with|as|mit|ist|con|es|avec|est|c'est|creds?|auth|gib|mine)\b:?|[:=]|->|→)\s+[\w.@+-]{2,40}\s/\s[\"'`]?(?P<v>[^\s\"'`,;|/\x00]{7,64})(?=[\"'`),.;|]*(?:\s|$))"
)
_GLUED_PAIR = re.compile(
    r"(?<![\w/@.-])(?:admin|administrator|root|guest|sa|pi|ubuntu|postgres|mysql|oracle|user|test|sysadmin|superuser|default):(?P<v>(?=[^\s:]{0,30}\d)(?=[^\s:]{0,30}[a-z])[^\s\"'`,;|/@\x00]{8,64})"
)
_PROMPT = re.compile(
    r"(?<![\w-])(?:enter|type(?: in)?|opens?|unlock\w*|decrypt\w*|unzip\w*|sign(?:ed)? in|log(?:ged)? (?:\w{1,8} )?in|log(?:ged)? on|gib|eintippen|entsperr\w*|saisis\w*|tape[zr]?|"
    r"introduce|teclea|digita|inserisci|wpisz|введи|введіть|введите|nhap)\b(?:[^\S\n]+[^\s.!?\x00]{1,20}){0,5}?[^\S\n]+(?:with[^\S\n]+|using[^\S\n]+|mit[^\S\n]+|avec[^\S\n]+|con[^\S\n]+)?"
    r"[\"'`“„«]?(?P<v>[^\s\"'`“”„«»\x00]{8,64})"
)
_NAMED = re.compile(
    r"(?:pass ?-?phrase|key ?phrase|pass ?-?sentence|passwortsatz|passwort-?satz|kennsatz|парольн\w+ фраз\w+|фраз\w+-парол\w+|phrase (?:de passe|secrete)|"
    r"frase (?:de contrasena|de paso|segreta|secreta|di accesso)|frase-senha|cum mat khau|passord-?setning|wachtwoordzin|haslo-?zdanie|fraza haslowa|パスフレーズ)"
    r"[^.!?\n\x00]{0,40}?(?:[:=]|->|\b(?:is|ist|lautet|es|est|e|la|to|це|это|was|now)\b|は)\s*[\"'`“„«]?"
    r"(?P<v>[^\W\d_]{2,14}(?:[ _.-]+[^\W\d_]{2,14}){3,11})"
)
_COUNTED = re.compile(
    r"(?:\b(?:[3-9]|three|four|five|six|seven|drei|vier|funf|tres|cuatro|trois|quatre|tre|quattro|три|чотири|четыре)\s+(?:words|worter|palabras|mots|parole|palavras|слов\w*|slow\w*))\s*[:=-]\s*[\"'“„«]?"
    r"(?P<v>[^\W\d_]{2,14}(?:[ _.-]+[^\W\d_]{2,14}){2,7})"
)
_PHRASE = re.compile(r"phrase|frase|фраз|fraza|フレーズ|satz|setning|sentence|woordzin|cum mat|zdanie")
COMMON = frozenset(
    "the a an in on at of to for and or is are was be by from with it this that you your my our his her their one same last new old please ask "
    "see not no too very still now stored written kept known safe long short must should will can has have der die das im am auf bei von und "
    "ist nicht el la los las en de del que no le les des du est pas il lo di che non na w z jest nie в на у не та і и это що".split()
)

_HINTS = frozenset(
    "all in with without no lower upper lowercase uppercase case caps small letters spaces space words one word between them and everything alles klein kleingeschrieben "
    "mit ohne leerzeichen dazwischen todo minusculas con sin espacios tout en minuscules avec sans espaces tutto minuscolo senza spazi tudo minusculo sem espacos".split()
)


def login_pairs(shown: str, folded: str) -> Iterator[Hit]:
    """`admin / Qu4rtz_Hill`, `user root and Rose22dorn`; spans are of `shown`."""
    for match in _PAIR.finditer(folded):
        yield from _value(shown, *match.span("v"), 7)
    for match in _GLUED_PAIR.finditer(folded) if ":" in folded else ():
        start, end = match.span("v")
        value = shown[start:end].rstrip(".,;:)?\"'")
        if strength(value) >= MEDIUM:
            yield Hit(f"{SECRET}login_pair", "password", start, start + len(value), 0.78)


def listed_pairs(shown: str) -> Iterator[Hit]:
    """`mail: t.novak / Kestrel.Wing4` where the text speaks of logins: name, slash, and what looks chosen."""
    for match in _LISTED.finditer(shown):
        yield from _value(shown, *match.span("v"), 7)


def may_be_pair(shown: str) -> bool:
    """Whether a name and something with a digit stand on two sides of a slash, and it is said whose they are."""
    return " / " in shown and _TOLD_PAIR.search(shown) is not None


def told_pairs(shown: str) -> Iterator[Hit]:
    """`for jira it's anna / Qbert-Hop-31`; spans are of `shown`."""
    for match in _TOLD_PAIR.finditer(shown):
        if re.search(r"[^\w.]|_", match["v"].rstrip(".,;:)?")):
            yield from _value(shown, *match.span("v"), 8)


def at_prompt(shown: str, folded: str) -> Iterator[Hit]:
    """What somebody is told to enter, if it looks chosen to be a password."""
    for match in _PROMPT.finditer(folded):
        start, end = match.span("v")
        raw = shown[start:end]
        joints = len(re.findall(r"[^A-Za-z0-9]", raw.rstrip(".,;:)!?\"'")))
        if joints >= (1 if re.search(r"[^\w.\-]", raw[1:-1]) else 2) and re.search(r"[a-z].*\d", raw):
            yield from _value(shown, start, end, 8)


def _value(shown: str, start: int, end: int, least: int) -> Iterator[Hit]:
    raw = shown[start:end]
    value = raw.rstrip(".,;:)?\"'")
    if len(value) >= least and strength(value) >= MEDIUM and is_chosen(value):
        yield Hit(f"{SECRET}login_pair", "password", start, start + len(value), 0.8)


def may_name_phrase(folded: str) -> bool:
    """Whether a pass phrase is spoken of at all."""
    return _PHRASE.search(folded) is not None


def phrases(folded: str) -> Iterator[Hit]:
    """Four words or more that are named as a pass phrase, with next to none that sentences are made of."""
    for match in _COUNTED.finditer(folded):
        if sum(word in COMMON for word in re.findall(r"[^\W\d_]+", match["v"])) * 8 <= 8:
            yield Hit(f"{SECRET}pass_phrase", "password", *match.span("v"), 0.8)
    for match in _NAMED.finditer(folded) if may_name_phrase(folded) else ():
        end = match.start("v") + len(_without_hints(match["v"]))
        words = re.findall(r"[^\W\d_]+", folded[match.start("v") : end])
        if sum(word in COMMON for word in words) * 8 <= len(words):
            yield Hit(f"{SECRET}pass_phrase", "password", match.start("v"), end, 0.85)


def _without_hints(phrase: str) -> str:
    """Without `all lower case with spaces` and its like at the end, as long as four words remain."""
    words = list(re.finditer(r"[^\W\d_]+", phrase))
    while len(words) > 4 and words[-1][0] in _HINTS:
        words.pop()
    return phrase[: words[-1].end()] if words else phrase
