"""One-time codes, PINs, backup codes, payment cards and seed phrases: digits and words that open things."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.pieces import BREAK
from dw_learning.scan.reading import Mark
from dw_learning.scan.spelled import NUMBER_WORDS

_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_\u0400-\u04ff.,/#+-])(?<!\d:)(?:(?<!\d[ -])\d{3}[ -]\d{3,4}(?![ -]\d)|\d{4}[ -]\d{4}|\d{4,8}[#*]?|[A-Z]-?\d{5,8}|\d(?:[ -]\d){3,7})(?![A-Za-z0-9_\u0400-\u04ff:/%€$年月日時时分秒円元人名件階楼号回歳%개년월일시분초원명층호번회]|[.,]\d|-\d)"
)
_GROUPS = re.compile(
    r"(?<![A-Za-z0-9_/])(?:[A-Za-z0-9]{4,6}(?:-[A-Za-z0-9]{4,6}){1,7}|\d{4,8}(?:[ \t]\d{4,8}){1,7}|\d{6,10}|[a-z0-9]{8,12})(?![A-Za-z0-9_/])"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]\s*)?[a-z]{3,8}\b")
_SEED_RUN = re.compile(r"(?:(?:\d{1,2}[.):]\s*)?[a-z]{3,8}\b(?:[ \t]*[,;]?[ \t\n]*)){11,25}")
_SEED_BEFORE = re.compile(
    r"(?<![^\s\"'`(])(?P<v>(?:[a-z]{3,8}\s){11,23}[a-z]{3,8})[\"'`)]*\s*(?:<-+|←|—|–|-|=|is|are|was|ist|es|est|:)?\s*(?:(?:my|the|our|his|her|your|a|mein\w*|mi|ma|mon)\s+)?(?:\w{2,10}\s+)?$"
)
_STOP_WORDS = frozenset(
    "the and for are was were has had have not but you your with this that from they will would can could should our "
    "his her she him its them then than when what who how why where which there here been being did does doing into "
    "onto just also very too any all some more most much many each per via out off over under because since after "
    "before please thanks thank hello".split()
)
_BETWEEN = re.compile(r"[.!?]\s|\n\s*\n|\d{3,}")
_COUNTING = re.compile(
    r"(?i)\b(?:ends?|ending|endet|last|letzten?|minutes?|seconds?|digits?|stellig|chars?|error|room|ext|version|port|ticket|year|since|until|seit|rollout|after|number|nummer|phone|номер|телефон|số đuôi|đuôi|закінчується|termina|acaba|finit|kończy)\b[^\d]{0,16}$"
)


_NAMES = re.compile(r"(?:[:=：＝]|->|→|\b(?:is|ist|es|est|e|e'|jest|to|la|это|це)|[は是])\s*$")
_LOCK_VALUE = re.compile(
    r"(?<![\w-])(?:\d{1,2}-\d{1,2}-\d{1,2}(?:-\d{1,2})?|(?=\d*[A-Z])[A-Z0-9]{4,8}(?<=\d)|(?=\w*\d)[0-9]{1,4}[A-ZА-Я][A-Z0-9]{0,4}|(?=[A-Z]*\d)[A-Z]\d{3,6}[A-Z])(?![\w-])"
)


_OF_A_LOCK = re.compile(
    r"(?<![\w-])(?:safe|locker|door|gate|garage|alarm|vault|entrance|lift|elevator|padlock|tresor|tur|alarmanlage|coffre|porte|puerta|alarma|porta|cancello|drzwi|двер\w*|сейф\w*|cua|ket)\b[^.!?\n\x00]{0,32}"
    r"(?:\b(?:code|pin|kode|codigo|codice|kod|код)\b\W{0,3}(?:(?:is|was|ist|es|est|e|jest|now)\s+)?(?P<v>\d{3,8})|(?:\b(?:opens? with|is|ist|combination)\b|:)\s*(?P<w>\d{1,2}-\d{1,2}-\d{1,2}))(?![\w-])"
)
_SENT = re.compile(
    r"(?<![\w-])(?:code|codigo|codice|kod|kode|код|ma|コード)[^.!?\n\x00]{0,16}?\b(?P<v>\d{3}[ -]\d{3}|\d{4,8})\b\W{0,3}(?:by|per|via|via|z|з|із|із|из|por|par|dal|from|in|qua)?\W{0,2}(?:the |a |tin )?(?:sms|смс|text(?: message)?|authenticator|nhan)\b"
)


_SOME_DIGITS = re.compile(r"\d{3}|\d[ -]{1,2}\d")
PLACE = (
    r"(?:authenticator|prompt|keypad|doors?|gate|alarm|lock\w*|unlock\w*|phone|mobile|ipad|tablet|safe|panel|lift|elevator|terminal|login|padlock|locker|cabinet|container|barrier|shutter|garage|entrance|"
    r"building|tur|tor|tresor|schloss|handy|alarmanlage|schranke|porte|portail|coffre|alarme|telephone|puerta|caja fuerte|alarma|movil|candado|porta|cassaforte|allarme|cancello|cofre|alarme|portao|"
    r"drzwi|bram\w+|sejf\w*|telefon\w*|alarm\w*|deur|kluis|slot|dorr\w*|kassaskap|двер\w*|сейф\w*|телефон\w*|ворот\w*|домофон\w*|сигнализац\w*|замок|замк\w*)"
)
_DIGITS_SAID = r"(?:[#*]\d{3,8}[#*]?|\d{3,8}[#*]|\d{4,8}|\d{2}[ -]\d{2}[ -]\d{2}|\d(?:[ -]\d){3,7})"
_PRESSED = re.compile(
    rf"\b(?:type|enter|press|punch(?: in)?|key(?: in)?|dial|put(?: in)?|use|try|tippe|gib|eingeben|druck\w*|wahl\w*|tape[zr]?|appuie\w*|saisis\w*|marca|pulsa|teclea|digita|premi|inserisci|wpisz|toets|tryck|sla|"
    rf"набери\w*|нажми\w*|введи\w*|натисни\w*|bam|nhap)\s+(?:in\s+|the\s+code\s+)?(?P<v>{_DIGITS_SAID})(?![\w:%/]|[.,]\d)[^.!?\n\x00]{{1,48}}?\b{PLACE}(?![\w-])"
)
_OPENED = re.compile(
    rf"\b(?:{PLACE})\b[^.!?\n\x00\d]{{0,28}}?\b(?:with|using|mit|avec|con|com|z|med|met|кодом|с|із|з|by pressing|opens? (?:with|on|to)|is|ist|:)\s*:?\s*(?P<v>[#*]\d{{3,8}}[#*]?|\d{{3,8}}[#*]|\d{{2}}[ -]\d{{2}}[ -]\d{{2}}(?=\s+auf\b))(?![\w:%/-]|[.,]\d)"
    r"|\balarm\w*(?:\s(?:off|on|aus|an|system|panel|anlage|disarm|arm))?\s*[:=]\s*(?P<x>\d{4,8})(?![\w:%/-]|[.,]\d|\s(?:errors|events|alerts))"
    rf"|\bunlock\w*\s[^.!?\n\x00\d]{{0,28}}?\b(?:with|using|by)\s+(?P<w>\d{{4,8}})(?![\w:%/-]|[.,]\d)"
)


def told_codes(folded: str) -> Iterator[Hit]:
    """A number that is said to open a lock, or to have come by text message."""
    if _SOME_DIGITS.search(folded) is None:
        return
    for pattern, kind in ((_OF_A_LOCK, "pin"), (_SENT, "one_time_code"), (_PRESSED, "pin"), (_OPENED, "pin")):
        for match in pattern.finditer(folded):
            group = next(name for name, value in match.groupdict().items() if value)
            yield Hit(f"{SECRET}told_code", kind, *match.span(group), 0.8)


def _lock(mark: Mark, shown: str, folded: str) -> Iterator[Hit]:
    """A dial's three numbers, or a short code with letters in it, said of a lock."""
    word = folded[mark.start : mark.end]
    for match in _LOCK_VALUE.finditer(shown, mark.end, mark.end + 50):
        gap = shown[mark.end : match.start()]
        if _DIAL.search(word + gap) and match[0].count("-") >= 2 and BREAK not in gap:
            yield Hit(f"{SECRET}lock_code", "pin", match.start(), match.end(), 0.85)
            return
        near = "alarm" not in word and ("cod" in word or "код" in word) and not gap.strip(" \"'`*")
        if (near or _NAMES.search(gap)) and any(map(str.isdigit, match[0])):
            yield Hit(f"{SECRET}lock_code", "pin", match.start(), match.end(), 0.85)
        if _DIAL.search(word) is None:
            return


_DIAL = re.compile(r"comb|kombi|комбин|комбін")


def codes(shown: str, folded: str, said: list[Mark]) -> Iterator[Hit]:
    """Codes near a word for them; spans are of `shown`."""
    done = 0
    for mark in said:
        if mark.start < done:
            continue
        if mark.bits & (c.CODE | c.PIN | c.LOCK):
            yield from _code(mark, shown, folded)
        if mark.bits & c.LOCK:
            yield from _lock(mark, shown, folded)
        if mark.bits & c.BACKUP:
            for hit in _backup(mark, shown):
                done = hit.end
                yield hit
        if mark.bits & c.SEED:
            yield from _seed(mark, shown, folded)


_CLOSE = re.compile(r"(?<![\w.,/#+:-])(?P<v>\d{4,8}[#*]?)[\s(（]{1,2}$")


def _code(mark: Mark, shown: str, folded: str) -> Iterator[Hit]:
    kind = "pin" if mark.bits & (c.PIN | c.LOCK) else "one_time_code"
    for match in _DIGITS.finditer(shown, mark.end, mark.end + 60):
        gap = _REPLY.sub("", shown[mark.end : match.start()].rstrip("\"'`«„“*( "))
        if BREAK in gap or _BETWEEN.search(gap):
            return
        if _COUNTING.search(gap) and not (mark.bits & c.LOCK and _NAMES.search(gap)):
            return
        named = _is_named(folded[mark.end : match.start()].rstrip("\"'`«“*( "))
        if _UNIT.match(shown, match.end()):
            return
        thing = mark.bits & c.LOCK and _THING.fullmatch(folded, mark.start, mark.end)
        if thing and not named and not _CODE_SAID.search(gap.lower()):
            return
        short = len(match[0]) == 4
        if short and (_YEAR.fullmatch(match[0]) and not named):
            return
        if len(gap.split()) <= (2 if short and not named else 7):
            yield Hit(f"{SECRET}{kind}", kind, match.start(), match.end(), 0.9)
        return
    spelled = NUMBER_WORDS.search(folded, mark.end, mark.end + 120)
    if (
        spelled
        and len(folded[mark.end : spelled.start()].split()) <= 5
        and BREAK not in folded[mark.end : spelled.start()]
    ):
        yield Hit(f"{SECRET}{kind}", kind, spelled.start(), spelled.end(), 0.85)
        return
    close = (
        _CLOSE.search(shown, max(0, mark.start - 12), mark.start) if mark.bits & (c.PIN | c.LOCK) else None
    )
    if close and not folded[mark.start].isascii():
        yield Hit(f"{SECRET}{kind}", kind, *close.span("v"), 0.8)
        return
    before = list(_DIGITS.finditer(shown, max(0, mark.start - 40), mark.start))
    if before and re.fullmatch(
        r"[\"'`* ]{0,3}(?:is|ist|es|est|là|la|to|це|это|-|—|は|が|<-|←|[:,=])?[^\d.!?\n\x00]{0,22}",
        shown[before[-1].end() : mark.start],
    ):
        value = before[-1]
        if (
            len(value[0]) >= 5
            and not _COUNTING.search(shown[max(0, value.start() - 24) : value.start()])
            and _says_is(shown[value.end() : mark.start])
        ):
            yield Hit(f"{SECRET}{kind}", kind, value.start(), value.end(), 0.85)


_THING = re.compile(
    r"safe|locker|tresor|coffre|cofre|kluis|sejf|cassaforte|kassaskap|domofon|interfon|citofono"
)
_CODE_SAID = re.compile(r"cod|kod|код|pin|pin|comb|kombi|opens|#")
_REPLY = re.compile(
    r"(?i)\?\s+(?:sure|yes|yep|ok|okay|here(?: you go| it is)?|it's|its|it is|klar|ja|hier|si|aqui|oui|voici|tak|да|вот|так|ось)?[,:!\s]*$"
)
_UNIT = re.compile(
    r"(?i)\s?(?:mm|cm|km|m²|m2|kg|ml|gb|mb|tb|kb|ms|eur|euros?|usd|dollars?|people|users?|rows|min|mins|minutes?|hours?|hrs|uhr|days?|tage|members|units|pcs|stück|km/h|volts?|watts?|kwh)\b"
)


def _is_named(gap: str) -> bool:
    return (
        re.search(
            r"[:=：＝は是는은が为為]|\b(?:is|was|now|ist|lautet|es|la|est|c'est|e|jest|to|it's|are|ar|er|var|este|on|это|це)\s*$|[-–—]\s*$",
            gap,
        )
        is not None
    )


def _says_is(gap: str) -> bool:
    return (
        re.match(
            r"[\"'`*,]*\s*(?:that's|thats|that is|this is|das ist|c'est|eso es|is|ist|es|est|là|la|to|це|это|-|—|は|が|jest|è|<-|←|that's|= ?)(?:\W|$)",
            gap,
        )
        is not None
    )


def _backup(mark: Mark, shown: str) -> Iterator[Hit]:
    end = mark.end
    for match in _GROUPS.finditer(shown, mark.end, mark.end + 400):
        gap = shown[end : match.start()]
        if BREAK in gap or len(gap) > 60:
            return
        if any(ch.isdigit() for ch in match[0]) and not _COUNTING.search(gap):
            yield Hit(f"{SECRET}backup_code", "backup_code", match.start(), match.end(), 0.9)
            end = match.end()


def _seed(mark: Mark, shown: str, folded: str) -> Iterator[Hit]:
    before = _SEED_BEFORE.search(folded, max(0, mark.start - 260), mark.start)
    if before and len(before["v"].split()) in (12, 15, 18, 21, 24) and _is_seed(before["v"].split()):
        yield Hit(f"{SECRET}seed_phrase", "seed_phrase", *before.span("v"), 0.88)
    for match in _SEED_RUN.finditer(folded, mark.end, mark.end + 400):
        words = re.findall(r"[a-z]+", match[0])
        if (
            sum(word in _STOP_WORDS for word in words) <= len(words) * 0.08
            and BREAK not in shown[mark.end : match.start()]
        ):
            yield Hit(f"{SECRET}seed_phrase", "seed_phrase", match.start(), _trimmed(match), 0.9)
            return
    seed = re.compile(
        r"\b(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{1,4}\b|\b[A-Z2-7]{16,64}\b|\b(?:[a-z2-7]{4} ){3,7}[a-z2-7]{4}\b"
    )
    for match in seed.finditer(shown, mark.end, mark.end + 120):
        if any(ch.isdigit() for ch in match[0]):
            yield Hit(f"{SECRET}totp_seed", "totp_seed", match.start(), match.end(), 0.9)


def bare_seed(shown: str) -> Iterator[Hit]:
    """Exactly 12 or 24 short words on a line of their own, none of them one that sentences need."""
    for line in re.finditer(r"[^\n]+", shown):
        words = line[0].split()
        if len(words) in (12, 24) and _is_seed(words):
            yield Hit(f"{SECRET}seed_phrase", "seed_phrase", line.start(), line.end(), 0.6)


def _is_seed(words: list[str]) -> bool:
    if _STOP_WORDS & set(words) or not all(re.fullmatch("[a-z]{3,8}", word) for word in words):
        return False
    return sum(len(word) > 3 for word in words) >= 8 and len(set(words)) >= len(words) - 1


def _trimmed(match: re.Match[str]) -> int:
    return match.start() + len(match[0].rstrip(" \t\n,;"))
