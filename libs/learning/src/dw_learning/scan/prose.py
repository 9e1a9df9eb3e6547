"""Passwords and keys in running text: a word that names one, and near it a value."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.pieces import BREAK, Piece
from dw_learning.scan.reading import Mark
from dw_learning.scan.shapes import looks_random
from dw_learning.scan.values import MEDIUM, STATUS, STRONG, WEAK, is_password_shape, strength

_AFTER = 10
_BEFORE = 5
_ASSIGNS = re.compile(r"(?:[:=：＝]|->|=>|→|⇒|»|:=)[\s\"'`“„«(\[<*_]*$")
_COPULA = re.compile(
    r"(?:\b(?:is|are|was|will be|becomes|now|to|set to|ist|lautet|heisst|war|auf|es|sera|era|la|est|e|jest|to|eto|це|это|теперь|тепер|будет|буде|"
    r"-|--|—|on|ar|er|var|je|este|adalah|ialah|ειναι|היא|הוא|هي|هو|رمز|है|via|voici|it's|it is|c'est|einfach|just|simply|is now|ist jetzt|ahora|gio la|moi la|sekarang|olarak|olan|är|er)|[はが是为為이가는은]|です|คือ|है|：)[\s\"'`“„«(\[<*_]*$"
)
_SAYS_IT = re.compile(
    r"[\"'`.,»” ]*(?:is|ist|es|est|to|is|это|це|la|jest|e|as|als|como|comme|come|jako|як|как|lam|som|in as)\b|[\"'`.,»” ]*(?:[-—はが是]|として|<-|←)"
)
_ASKED = re.compile(r"\?\s+(?=(?:it'?s|it is|das ist|c'est|es|это|це)\b)")
_FOR = re.compile(r"[\"'`.,»” ]*(?:for|fur|pour|para|per|для|cho|voor|dla)\b")
_NETWORK = re.compile(r"\b(?:wi-?fi|wlan|vpn|ваиф\w*|ваи-фа\w*|guest|gast|hotspot|router)\W*$")
_PLAIN_GAP = re.compile(
    r"(?!.*\b(?:and|but|und|aber|y|pero|et|mais|та|але|и|но|is|ist|es|est|reset|page|portal|policy|manager|field)\b.*\S{3})"
)
_ENDS = re.compile(r"[.!?。！？]\s|\n\s*\n")
_CUT = re.compile(r"[;&\"'<>]")
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_~.\-]{16,}")
_PAIR = re.compile(r"^[\s\"'`]*(?:/|\||:|,|;|->|und|and|y|та|і|и|et|mit|with|con)?[\s\"'`]*$")
_HASHED = re.compile(
    r"\b(?:sha\d*|md5|commit|digest|checksum|hash|etag|rev|revision|image|build|trace|request|fingerprint|id|uuid|sum)\b[^\n]{0,24}$"
)
_HEX = re.compile(r"[0-9a-fA-F]{32,}")
_PUBLIC = re.compile(
    r"ssh-(?:ed25519|rsa|dss)|ecdsa-sha2|AAAA[A-Z0-9]|-----BEGIN (?:CERTIFICATE|PUBLIC)|sha(?:256|384|512)[-:]|integrity|boundary=|data:\w+/"
)


def named_values(shown: str, folded: str, said: list[Mark], parts: list[Piece]) -> Iterator[Hit]:
    """Values beside a word for password, key, token or login; spans are of `shown`."""
    tried: set[int] = set()
    places = _index(said, parts)
    following = _next_password(said, len(folded))
    for (mark, at), limit in zip(places, following, strict=True):
        if mark.bits & (c.PASSWORD | c.WIFI_KEY | c.TOKEN | c.LOGIN):
            yield from _after(mark, at, limit, shown, folded, parts)
        if mark.bits & (c.PASSWORD | c.WIFI_KEY | c.TOKEN):
            yield from _before(mark, at, folded, parts)
        if mark.bits & (c.SHARING | c.TOKEN | c.WIFI_KEY):
            for index in range(max(0, at - 4), min(at + 9, len(parts))):
                if index not in tried and len(parts[index].text) >= 20:
                    tried.add(index)
                    yield from _opaque(mark, parts[index], shown, folded)


def bare_values(shown: str, folded: str, parts: list[Piece]) -> Iterator[Hit]:
    """Values that need no word beside them: a password's shape, or forty random characters."""
    for part in parts:
        if len(part.text) >= 9 and not part.text.isalpha() and is_password_shape(part.text):
            yield _hit("password_shape", "password", part.start, part.end, 0.75)
        elif len(part.text) >= 32:
            value, start = _assigned(part)
            if (
                len(value) >= 32
                and not _HEX.fullmatch(value)
                and _is_opaque_token(value)
                and _is_private(start, part, shown, folded)
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
        if not value or (step > 2 and value.isalpha()):
            continue
        gap = folded[mark.end : start]
        if step and _ENDS.search(_ASKED.sub(" ", gap)):
            return
        if _accepts(mark, value, step, gap, part, shown):
            yield _hit("password_named", "password", start, start + len(value), 0.9)
            if step and strength(value) < STRONG:
                return


def _glued(part: Piece, after: int) -> tuple[str, int]:
    """The value in `password=value`, where word and value are one piece."""
    rest = part.text[after - part.start :]
    plain = rest.lstrip("\"'`") if rest[:1] in "\"'`" else rest
    if plain[:1] in ("=", ":", "："):
        value = plain[1:].lstrip("=>\"'`")
        start = part.end - len(value)
        return _CUT.split(value, maxsplit=1)[0], start
    return "", part.end


def _accepts(mark: Mark, value: str, step: int, gap: str, part: Piece, shown: str) -> bool:
    level = strength(value)
    assigned = _ASSIGNS.search(gap) is not None or (part.start < mark.end and step == 0)
    named = assigned or _COPULA.search(gap) is not None
    quoted = part.quoted
    if not mark.bits & c.PASSWORD:
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
            return len(value) >= 8 and not value.isalnum()
        return (
            level == STRONG
            and step <= 6
            and (named or quoted or _special(value) or (mark.bits & c.WIFI_KEY != 0 and step == 0))
        )
    if level == STRONG:
        return True
    if level == MEDIUM:
        late = (
            step <= 5 and named and len(value) >= 8 and any(map(str.isdigit, value)) and _PLAIN_GAP.match(gap)
        )
        if step <= 3 and _NETWORK.search(gap) and _ends_line(shown, part.end):
            return any(map(str.isdigit, value))
        return step == 0 or (step <= 2 and (named or quoted)) or (assigned and step <= 6) or bool(late)
    if level != WEAK or value.lower() in STATUS:
        return False
    if value.isdigit():
        return len(value) >= 4 and step <= 2 and (named or (step == 0 and len(value) >= 6))
    if quoted:
        return step <= 2 and len(value) >= 5 and (named or step == 0) and value.isascii()
    return assigned and step <= 1 and len(value) >= 5 and _ends_line(shown, part.end) and value[0].isascii()


def _special(value: str) -> bool:
    return any(ch in "!#$%^&*~@?+" for ch in value)


def _not_host(value: str) -> bool:
    return any(ch.isdigit() for ch in value) and not value.startswith(("/", "http"))


def _login_like(gap: str) -> bool:
    return len(gap) <= 60 and "\n" not in gap.strip("\n")


def _ends_line(shown: str, end: int) -> bool:
    return re.match(r"[\"'`)\].,;*_]*\s*(?:$|\n)", shown[end : end + 8]) is not None


def _before(mark: Mark, at: int, folded: str, parts: list[Piece]) -> Iterator[Hit]:
    """`Otter-1!x is the password`, `Otter-1!x ist das Passwort`."""
    index = at
    while index > 0 and (index >= len(parts) or parts[index].end > mark.start):
        index -= 1
    for step, part in enumerate(reversed(parts[max(0, index + 1 - _BEFORE) : index + 1])):
        if part.text == BREAK or part.end > mark.start:
            if part.text == BREAK:
                return
            continue
        if part.text.isalpha() or part.text.endswith("="):
            continue
        gap = folded[part.end : mark.start]
        if _ENDS.search(gap) or _FOR.match(gap):
            return
        level = strength(part.text)
        if level == STRONG and (mark.bits & c.PASSWORD or _special(part.text)):
            yield _hit("password_named", "password", part.start, part.end, 0.85)
        elif level == MEDIUM and mark.bits & c.PASSWORD and step <= 3 and _SAYS_IT.match(gap):
            yield _hit("password_named", "password", part.start, part.end, 0.8)


def _opaque(mark: Mark, part: Piece, shown: str, folded: str) -> Iterator[Hit]:
    """A random string near a word for key or token, or near `try mine`, in either direction."""
    value, start = _glued(part, mark.end) if part.start < mark.end < part.end else _assigned(part)
    if len(value) >= 20 and _is_opaque_token(value) and _is_private(start, part, shown, folded):
        yield _hit("token_named", "token", start, start + len(value), 0.85)


def _assigned(part: Piece) -> tuple[str, int]:
    """The value of `NAME=value`, or the piece itself."""
    head, sign, tail = part.text.partition("=")
    if not sign or len(tail) < 16 or len(head) > 30 or not re.fullmatch(r"[\w.-]+", head):
        return part.text, part.start
    value = tail.lstrip("\"'`")
    return _CUT.split(value, maxsplit=1)[0], part.end - len(value)


def _is_private(start: int, part: Piece, shown: str, folded: str) -> bool:
    """Neither called a hash or an identifier, nor a public key, checksum or boundary."""
    return not _HASHED.search(folded, max(0, start - 40), start) and not _PUBLIC.search(
        shown, max(0, start - 60), part.end
    )


def _is_opaque_token(value: str) -> bool:
    if _OPAQUE.fullmatch(value) is None or len(value) < 20 or not any(ch.isdigit() for ch in value):
        return False
    if re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value.lower()) or "/" in value[:1]:
        return False
    if re.match(r"[\w-]+(?:\.[\w-]+)+/", value):
        return False
    if value.isdigit() or re.fullmatch(r"[a-z]+(?:[-_./][a-z0-9]{1,12})+", value) or value.count(".") > 3:
        return False
    mixed = any(ch.islower() for ch in value) and any(ch.isupper() for ch in value)
    return looks_random(value, 3.0) and (
        mixed or _HEX.fullmatch(value) is not None or len(re.findall(r"\d", value)) >= 6
    )
