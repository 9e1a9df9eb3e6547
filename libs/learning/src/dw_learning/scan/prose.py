"""Passwords and keys in running text: a word that names one, and near it a value."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.network_keys import is_network_key, is_network_name
from dw_learning.scan.opaque import CUT, HEX, OPEN_KEY, assigned, is_opaque_token, is_private, is_readable
from dw_learning.scan.pieces import BREAK, Piece
from dw_learning.scan.prose_before import ENDS, SETTING, has_sign, value_before
from dw_learning.scan.reading import Mark
from dw_learning.scan.shapes import public_blocks
from dw_learning.scan.values import (
    MEDIUM,
    NONE,
    STATUS,
    STRONG,
    WEAK,
    is_chosen,
    is_joined,
    is_password_shape,
    strength,
)

_AFTER = 10
_ASSIGNS = re.compile(r"(?:[:=：＝]|->|=>|→|⇒|»|:=)[\s\"'`“„«(\[<*_]*$")
_COPULA = re.compile(
    r"(?:\b(?:is|are|was|will be|becomes|now|to|set to|ist|lautet|heisst|war|auf|es|sera|era|la|est|e|jest|to|eto|це|это|теперь|тепер|будет|буде|"
    r"-|--|—|on|ar|er|var|je|este|adalah|ialah|ειναι|היא|הוא|هي|هو|رمز|है|via|voici|it's|it is|c'est|е|є|einfach|just|simply|is now|ist jetzt|ahora|gio la|moi la|sekarang|olarak|olan|är|er)(?:\s+(?:immer noch|noch immer|nach wie vor|noch|still|toujours|encore|siempre|todavia|aun|siendo|ancora|sempre|nadal|wciaz|nog steeds|nog|fortfarande|ещё|еще|все еще|досі|hala|van|masih|just|all|exactly|nur|solo))?|[はが是为為이가는은]|です|คือ|है|：)[\s\"'`“„«(\[<*_]*$"
)
_FILLER = re.compile(
    r"(?:immer noch|noch immer|nach wie vor|noch|still|always|toujours|encore|siempre|todavia|aun|siendo|ancora|sempre|nadal|wciaz|nog steeds|nog|fortfarande|ещё|еще|все еще|досі|hala|masih|just|exactly|simply)\s*$"
)
_SHAPED = re.compile(r"[A-Z]{5,12}-\d{2,4}|[a-z]{6,12}-\d{2,4}")
_AT_HOST = re.compile(r"[a-z][\w.-]*@[a-z0-9][\w.-]*")
_TALLIED = re.compile(
    r"\b(?:resets?|attempts?|tries|fail\w*|expired|changed|count\w*|issued|length|policy|age|days|min\w*|max\w*|rows|users|total|stolen|leaked|cracked|rotated|access\.log|versuche|fehlversuche|intentos|essais|"
    r"tentativ\w+|spr[oó]b\w*|попыт\w*|спроб\w*|回|次|번)\b"
)
_ASKED = re.compile(r"\?\s+(?=(?:it'?s|it is|das ist|c'est|es|это|це)\b)")
_NETWORK = re.compile(r"\b(?:wi-?fi|wlan|vpn|ваиф\w*|ваи-фа\w*|guest|gast|hotspot|router)\W*$")
_PLAIN_GAP = re.compile(
    r"(?!.*\b(?:and|but|und|aber|y|pero|et|mais|та|але|и|но|is|ist|es|est|reset|page|portal|policy|manager|field)\b.*\S{3})"
)
_PAIR = re.compile(r"^[\s\"'`]*(?:/|\||:|,|;|->|und|and|y|та|і|и|et|mit|with|con)?[\s\"'`]*$")


def named_values(shown: str, folded: str, said: list[Mark], parts: list[Piece]) -> Iterator[Hit]:
    """Values beside a word for password, key, token or login; spans are of `shown`."""
    tried: set[int] = set()
    places = _index(said, parts)
    following = _next_password(said, len(folded))
    for (mark, at), limit in zip(places, following, strict=True):
        if mark.bits & (c.PASSWORD | c.WIFI_KEY | c.TOKEN | c.LOGIN):
            yield from _after(mark, at, limit, shown, folded, parts)
        if mark.bits & (c.PASSWORD | c.WIFI_KEY | c.TOKEN):
            yield from value_before(mark, at, folded, parts)
        if mark.bits & (c.SHARING | c.TOKEN | c.WIFI_KEY):
            for index in range(max(0, at - 4), min(at + 9, len(parts))):
                if index not in tried and len(parts[index].text) >= 20:
                    tried.add(index)
                    yield from _opaque(mark, parts[index], shown, folded)


def bare_values(shown: str, folded: str, parts: list[Piece]) -> Iterator[Hit]:
    """Values that need no word beside them: a password's shape, or forty random characters."""
    public = public_blocks(shown)
    for part in parts:
        if public and any(start <= part.start < end for start, end in public):
            continue
        if len(part.text) >= 9 and not part.text.isalpha() and is_password_shape(part.text):
            yield _hit("password_shape", "password", part.start, part.end, 0.75)
        elif len(part.text) >= 32:
            value, start = assigned(part)
            if (
                len(value) >= 32
                and not HEX.fullmatch(value)
                and not value.startswith("0x")
                and not is_readable(value)
                and is_opaque_token(value)
                and is_private(start, part, shown, folded)
            ):
                yield _hit("opaque_token", "token", start, start + len(value), 0.65)


def _hit(rule: str, kind: str, start: int, end: int, confidence: float) -> Hit:
    return Hit(f"{SECRET}{rule}", kind, start, end, confidence)


def _index(said: list[Mark], parts: list[Piece]) -> list[tuple[Mark, int]]:
    """Each mark with the first piece that ends after it; one walk over both."""
    out: list[tuple[Mark, int]] = []
    at = 0
    for mark in said:
        while at < len(parts) and parts[at].end <= mark.end and parts[at].end <= mark.start:
            at += 1
        index = at
        while index < len(parts) and parts[index].end <= mark.end:
            index += 1
        out.append((mark, index))
    return out


def _next_password(said: list[Mark], size: int) -> list[int]:
    """Where the next word for a password starts: what stands behind it belongs to that one."""
    out: list[int] = []
    ahead = upcoming = size + 1
    for mark in reversed(said):
        if mark.start < upcoming:
            ahead, upcoming = (upcoming, mark.start) if mark.bits & c.PASSWORD else (ahead, upcoming)
        out.append(ahead if mark.bits & c.PASSWORD else upcoming)
    return out[::-1]


def _after(mark: Mark, at: int, limit: int, shown: str, folded: str, parts: list[Piece]) -> Iterator[Hit]:
    for step, part in enumerate(parts[at : at + _AFTER]):
        if part.text == BREAK or part.start > limit:
            return
        value, start = part.text, part.start
        if start < mark.end:
            value, start = _glued(part, mark.end)
        elif "/" in value and mark.start and shown[mark.start - 1] == "/" and step <= 1:
            start += value.index("/") + 1
            value = part.text[start - part.start :]
        if (
            not value
            or (value.isalpha() and (step > 2 or not mark.bits & c.PASSWORD))
            or (start == part.start and SETTING.match(value))
        ):
            continue
        if strength(value) == NONE:
            continue
        gap = folded[mark.end : start]
        if step and ENDS.search(_ASKED.sub(" ", gap)):
            if mark.bits & c.PASSWORD and _stands_alone(gap, part, shown) and strength(value) >= MEDIUM:
                yield _hit("password_named", "password", start, start + len(value), 0.8)
            return
        if mark.bits & c.WIFI_KEY and not mark.bits & c.PASSWORD and is_network_name(shown, part.end):
            continue
        if _accepts(mark, value, step, gap, part, shown):
            yield _hit("password_named", "password", start, start + len(value), 0.9)
            if step and strength(value) < STRONG:
                return


def _glued(part: Piece, after: int) -> tuple[str, int]:
    """The value in `password=value`, where word and value are one piece."""
    rest = part.text[after - part.start :]
    if part.text.startswith("arn:") or "://" in part.text[: after - part.start]:
        return "", part.end
    plain = rest.lstrip("\"'`") if rest[:1] in "\"'`" else rest
    if plain[:1] in ("=", ":", "："):
        value = plain[1:].lstrip("=>\"'`")
        start = part.end - len(value)
        return CUT.split(value, maxsplit=1)[0], start
    return "", part.end


def _accepts(mark: Mark, value: str, step: int, gap: str, part: Piece, shown: str) -> bool:
    level = strength(value)
    filler = _FILLER.search(gap)
    step -= min(step, len(filler[0].split()) if filler else 0)
    assigned = _ASSIGNS.search(gap) is not None or (part.start < mark.end and step == 0)
    named = assigned or _COPULA.search(gap) is not None
    quoted = part.quoted
    if not mark.bits & c.PASSWORD:
        if mark.bits & c.LOGIN and _AT_HOST.fullmatch(value):
            return False
        if OPEN_KEY.search(shown[max(0, mark.start - 20) : mark.start].lower()):
            return False
        if mark.bits & c.TOKEN and step == 0 and level == STRONG and len(value) >= 12 and value.isalnum():
            return True
        if mark.bits & c.LOGIN and level >= MEDIUM and step >= 1:
            return (
                step <= 3
                and gap.rstrip(" \"'`").endswith(("/", "|", ":", ","))
                and _not_host(value)
                and _login_like(gap)
            )
        if (
            level == MEDIUM
            and mark.bits & c.WIFI_KEY
            and named
            and step <= 3
            and any(map(str.isdigit, value))
        ):
            return (len(value) >= 8 and not value.isalnum()) or is_network_key(mark, value, gap, shown, named)
        if mark.bits & c.WIFI_KEY and level < STRONG and (named or quoted or step == 0) and step <= 6:
            return is_network_key(mark, value, gap, shown, named)
        return (
            level == STRONG
            and step <= 6
            and (named or quoted or has_sign(value) or (mark.bits & c.WIFI_KEY != 0 and step == 0))
        )
    if level == STRONG:
        return True
    if level == MEDIUM:
        late = (
            step <= 7
            and named
            and len(value) >= 8
            and (is_joined(value) or any(map(str.isdigit, value)))
            and _PLAIN_GAP.match(gap)
        )
        if (
            step <= 3
            and _NETWORK.search(gap)
            and _ends_line(shown, part.end)
            and any(map(str.isdigit, value))
        ):
            return True
        return step == 0 or (step <= 2 and (named or quoted)) or (assigned and step <= 6) or bool(late)
    if level != WEAK or value.lower() in STATUS:
        return False
    if _SHAPED.fullmatch(value):
        return ((named or quoted) and step <= 2) or (step == 0 and value.islower() and not gap.strip())
    if value.isdigit():
        if _TALLIED.search(gap):
            return False
        return (
            len(value) >= 4
            and step <= 2
            and (named or (step == 0 and (len(value) >= 6 or shown[mark.start] > "\u3000")))
        )
    if quoted:
        return step <= 2 and len(value) >= 5 and (named or step == 0) and value.isascii()
    return assigned and step <= 1 and len(value) >= 5 and _ends_line(shown, part.end) and value[0].isascii()


def _stands_alone(gap: str, part: Piece, shown: str) -> bool:
    """`new password everybody!! Spring.Clean.88`, `his pwd? x`: all that is said after the sentence that asks for it."""
    rest = re.split(r"[.!?。！？]+\s|\n\s*\n", gap)[-1].strip(" \"'`*“„«(")
    return (
        rest in ("", "a:", "a", "answer:", "it's", "its", "->", "=", ":", "-")
        and _ends_line(shown, part.end)
        and is_chosen(part.text)
    )


def _not_host(value: str) -> bool:
    return any(ch.isdigit() for ch in value) and not value.startswith(("/", "http"))


def _login_like(gap: str) -> bool:
    return len(gap) <= 60 and "\n" not in gap.strip("\n")


def _ends_line(shown: str, end: int) -> bool:
    return re.match(r"[\"'`)\].,;*_]*\s*(?:$|\n)", shown[end : end + 8]) is not None


def _opaque(mark: Mark, part: Piece, shown: str, folded: str) -> Iterator[Hit]:
    """A random string near a word for key or token, or near `try mine`, in either direction."""
    value, start = _glued(part, mark.end) if part.start < mark.end < part.end else assigned(part)
    if not value:
        value, start = assigned(part)
        if start == part.start:
            return
    if OPEN_KEY.search(folded, max(0, mark.start - 20), mark.start):
        return
    if len(value) >= 20 and is_opaque_token(value) and is_private(start, part, shown, folded):
        yield _hit("token_named", "token", start, start + len(value), 0.85)
