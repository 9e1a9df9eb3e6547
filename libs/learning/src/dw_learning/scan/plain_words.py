"""Passwords that look like nothing much: common ones, answers, words said to be written in small letters, phrases
after a colon, a network and its key as a pair, an old one and the new one."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.pairs import COMMON
from dw_learning.scan.reading import Mark
from dw_learning.scan.shapes import is_placeholder
from dw_learning.scan.values import MEDIUM, STATUS, is_chosen, strength

_POPULAR = frozenset(
    "letmein qwerty qwertz azerty dragon monkey football baseball iloveyou sunshine princess shadow superman batman trustno1 michael jennifer hunter ashley bailey "
    "charlie jordan thomas hockey ranger daniel starwars klaster george computer michelle jessica pepper zxcvbn freedom maggie cheese summer winter spring autumn "
    "ginger hunter2 buster soccer harley andrew tigger cookie flower lovely hottie loveme whatever starwars master killer welcome password1 passw0rd p@ssw0rd admin123 "
    "admin1 root123 toor test123 test1234 guest123 welcome1 qwerty123 qwerty1 1q2w3e4r 1qaz2wsx abc123 abcd1234 asdfgh asdf1234 zaq12wsx pokemon naruto donald hallo "
    "hallo123 passwort1 schatz sommer winter fussball geheim motdepasse soleil doudou bonjour chouchou loulou azerty123 contrasena hola1234 teamo tequiero "
    "mariposa estrella alejandro senha123 brasil mudar123 polska kasia misiek haslo123 ciao juventus napoli andrea parola123 sifre123 galatasaray fenerbahce besiktas "
    "пароль123 йцукен qwe123 любовь привет наташа максим марина welkom welkom01 wachtwoord1 hejsan mamma sommar matkhau anhyeuem khongbiet sakura".split()
)
_BARE = frozenset("admin root toor guest test default 0000 1234 12345 123456 administrator".split())
_SAYS = (
    r"(?:[:=：]|->|=>|→|\b(?:is|was|are|it's|ist|lautet|war|es|era|est|c'est|e'|e|jest|to|ar|er|är|je|este|adalah|ialah|la|это|це|теперь|тепер|on|olarak|היא|הוא|هي|هو|है|คือ)\b|[はが是는은])"
    r"(?:\s+(?:just|simply|still|now|always|einfach|nur|noch|immer noch|toujours|siempre|solo|sempre|wciaz|просто|всё ещё|ещё|досі))?"
)
_WORD = re.compile(
    rf"(?P<gap>[^.!?\n\x00:=]{{0,44}}?){_SAYS}\s*[\"'“„«`*]*(?P<v>[^\W_][^\s\"'“”«»`.,;!?\x00*]{{3,40}})"
)
_SMALL = (
    r"(?:all |in |with |alles |tout |todo |tutto |wszystko |все |все з |усе )?(?:lower ?-?case|small letters|lower\b|no caps|no capitals?|one word|no spaces?|without spaces?|"
    r"capital \w|upper ?-?case|caps|kleingeschrieben|klein geschrieben|kleinbuchstaben|klein\b|zusammengeschrieben|ohne leerzeichen|grossgeschrieben|en minuscules?|minuscules?|en un mot|sans espaces?|"
    r"attache|en minusculas?|minusculas?|todo junto|sin espacios|minuscol\w+|tutto attaccato|senza spazi|minuscul\w+|tudo junto|sem espacos?|malymi|mala litera|bez spacji|razem|kleine letters|"
    r"aan elkaar|zonder spaties|sma bokstaver|gemener|ihop|kucuk harf\w*|bitisik|boşluksuz|bosluksuz|huruf kecil|tanpa spasi|маленькими|с маленькой|малыми|слитно|одним словом|без пробелов|"
    r"маленькими літерами|разом|без пробілів|viet thuong|viet lien|chu thuong|全部小写|小写|小文字|소문자|띄어쓰기)"
)
_HINT = re.compile(r"[\"'”»`*.,;:!?()\s–—-]*" + _SMALL)
_HINT_FIRST = re.compile(
    rf"(?P<gap>[^.!?\n\x00:=]{{0,44}}?){_SAYS}\s*\(?{_SMALL}\)?[,:]?\s+[\"'“„«`*]*(?P<v>[^\W\d_][^\s\"'“”«»`.,;!?\x00*]{{4,40}})(?=[\"'”»`*.!]*\s*(?:$|\n))"
)
_ANSWER = re.compile(
    r"(?:secur\w*|secret|sicherheits|segur\w*|geheim)\W{0,2}(?:question|frage|pregunta|domanda)?\W{0,2}(?:answer|antwort|respuesta|risposta|reponse)|"
    r"(?:antwort|respuesta|reponse|risposta|answer) (?:auf|a|to|de|alla|a la|sur)\b[^.\n]{0,24}(?:secur|sicher|segur|secret|geheim)\w*|(?:safe|duress|code|magic|secret)[ -]?word|question answer|kennwort fur den notfall|"
    r"losung\w*|maiden name|合言葉"
)
_PHRASE = re.compile(
    r"(?P<gap>[^.!?\n\x00:=]{0,40}?)(?:[:=：]\s*|\b(?:is|ist|lautet|es|est|e|jest)\s+(?=[\"'“„«`])|\s+(?=[\"“„«`]))[\"'“„«`*]*(?P<v>[^\W\d_]{2,14}(?:[ _.-]+[^\W\d_]{2,14}){2,9})(?=[\"'”»`*.!]*\s*(?:$|\n|\())"
)
_NET = r"(?:wi-?fi|wlan|ssid|hotspot|netzwerk|network(?: name)?|guest ?net\w*|ваифаи|ваи-фаи|вайфай|вай-фай|red wifi|reseau|rete|rede|siec|natverk\w*|netværk|netwerk|ağ|ag adi|ネットワーク|무선|无线|網路|网络)"
_NETWORK = re.compile(
    rf"(?<![\w-]){_NET}(?![\w-])[^\n\x00]{{0,24}}?(?:[:=：]|->|→|\b(?:is|ist|heisst|es|est|e|name|named|called|to|это|це|la)\b|\s)\s*[\"'“„«`*]?[\w.&'-]{{2,32}}(?:[ ][\w.-]{{1,16}}){{0,2}}[\"'”»`*]?\s*"
    r"(?:[/|,;·+]|->|→|–|—|-|\n|\band\b|\bund\b|\by\b|\bet\b|\be\b)\s*(?P<label>(?:the |das |la |le |der |el )?(?:(?:wpa\d?|wi-?fi|network|netz\w*)[ -])?(?:key|pass\w*|pw|pwd|psk|schlussel|kennwort|clave|contrasena|cle|mdp|senha|"
    r"chave|chiave|haslo|klucz|wachtwoord|ww|sleutel|sifre|parola|пароль|ключ|mk|mat khau|losen\w*|nyckel|kode|adgangskode|salasana|heslo|jelszo|パス\w*|密码|비번|비밀번호)\s*(?:is|ist|es|est|e|to)?\s*[:=：]?\s*)?"
    r"[\"'“„«`*]?(?P<v>[^\s\"'“”«»`*,;\x00]{8,63})"
)
_BEHIND_NAME = re.compile(r"[\"'`]?\s+[/|]\s+[\"'`]?(?P<v>[^\s\"'`*,;\x00]{8,63})")
_SIGNED = re.compile(
    "[\U0001f510-\U0001f513\U0001f511\U0001f5dd]\ufe0f?\\s*[:=]?\\s*(?P<v>[^\\s\\x00]{7,64})(?=\\s*(?:$|\\n))"
)
_SEPARATED = re.compile(r"[/|,;·+\n→–—-]|\s(?:and|und|y|et|e)\s")
_CHANGED = re.compile(
    r"\b(?:from|von|vom|de|desde|da|z|ze|с|со|з|із|van|fran|fra)\s+[\"'“„«`]?(?P<old>[^\s\"'“”«»`,;\x00]{5,64})[\"'”»`]?\s+(?:to|auf|zu|in|a|à|en|vers|na|на|naar|till|til)\s+[\"'“„«`]?(?P<new>[^\s\"'“”«»`,;\x00]{5,64})"
)


def answers(shown: str, folded: str, said: list[Mark]) -> Iterator[Hit]:
    """A plain word that is a well-known password, an answer to a security question, or said to be written small; and
    four words or more after a colon. Spans are of `shown`."""
    for mark in said:
        if not mark.bits & c.PASSWORD:
            continue
        limit = mark.end + 100
        hinted = _HINT_FIRST.match(folded, mark.end, limit)
        match = hinted or _WORD.match(folded, mark.end, limit)
        if match and (hinted or _is_word(match, folded)):
            yield Hit(f"{SECRET}plain_word", "password", *match.span("v"), 0.8)
        phrase = _PHRASE.match(folded, mark.end, min(len(folded), limit + 60))
        if phrase and _is_phrase(phrase["v"], folded[phrase.start("v") - 1] in "\"'“„«`"):
            yield Hit(f"{SECRET}pass_phrase", "password", *phrase.span("v"), 0.93)


def _is_word(match: re.Match[str], folded: str) -> bool:
    word = match["v"]
    if word in _BARE and re.match(r"[\"'”»`]*\s*(?:$|[\n.,;!)])", folded[match.end("v") :]):
        return True
    if word in STATUS or word in COMMON or is_placeholder(word):
        return word in _POPULAR
    if word in _POPULAR or _HINT.match(folded, match.end("v")):
        return True
    asked = folded[max(0, match.start() - 40) : match.start("v")]
    return (
        _ANSWER.search(asked) is not None
        and re.match(r"[\"'”»`*.!]*\s*(?:$|\n)", folded[match.end("v") : match.end("v") + 8]) is not None
    )


def _is_phrase(words: str, quoted: bool) -> bool:
    """Four words, or three between quotes."""
    found = re.findall(r"[^\W\d_]+", words)
    if len(found) < (3 if quoted else 4):
        return False
    return not any(word in COMMON or word in STATUS for word in found)


def beside_signs(shown: str) -> Iterator[Hit]:
    """What stands beside a drawn key or lock: letters and digits, at the end of its line."""
    for match in _SIGNED.finditer(shown):
        value = match["v"].rstrip(".,;:)?")
        mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
        if mixed and strength(value) > 0 and not is_placeholder(value):
            yield Hit(
                f"{SECRET}beside_sign", "password", match.start("v"), match.start("v") + len(value), 0.75
            )


def networks(shown: str, folded: str) -> Iterator[Hit]:
    """A network's name and its key, side by side; spans are of `shown`."""
    for match in _NETWORK.finditer(folded) if _SEPARATED.search(folded) else ():
        start, end = match.span("v")
        behind = _BEHIND_NAME.match(folded, end)
        if behind and not match["label"]:
            start, end = behind.span("v")
        value = shown[start:end].rstrip(".,;:)?")
        least = 1 if match["label"] else 2
        kinds = (any(map(str.isdigit, value)), any(map(str.isalpha, value)))
        if (
            len(value) >= 8
            and strength(value) >= least - 1 + (not all(kinds))
            and not is_placeholder(value)
            and (all(kinds) or match["label"])
            and (match["label"] or _is_pair(folded, match.start(), start, value))
        ):
            yield Hit(f"{SECRET}network_key", "password", start, start + len(value), 0.82)


def _is_pair(folded: str, begin: int, start: int, value: str) -> bool:
    """`wifi: Guest / key4all` and no list of things: a slash or a bar, at the end of the line."""
    gap = folded[begin:start].rstrip(" \"'`*")
    rest = folded[start + len(value) : start + len(value) + 6]
    return (
        gap.endswith(("/", "|", "->", "→"))
        and strength(value) > 0
        and re.match(r"[\"'`*).!]*\s*(?:$|\n|\()", rest) is not None
    )


def changed(shown: str, folded: str) -> Iterator[Hit]:
    """Both, where a password was changed from one to another."""
    for match in _CHANGED.finditer(folded):
        for group in ("old", "new"):
            start, end = match.span(group)
            value = shown[start:end].rstrip(".,;:)?")
            if strength(value) >= MEDIUM and is_chosen(value):
                yield Hit(f"{SECRET}password_changed", "password", start, start + len(value), 0.85)
