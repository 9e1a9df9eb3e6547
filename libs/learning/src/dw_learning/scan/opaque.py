"""Random strings: what an issuer made, told from hashes, ids, public keys, paths and words in base64."""

import base64
import re

from dw_learning.scan.pieces import Piece
from dw_learning.scan.shapes import looks_random

CUT = re.compile(r"[;&\"'<>]")
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_~.\-]{16,}")
_HASHED = re.compile(
    r"\b(?:sha\d*|md5|commit|digest|checksum|hash|etag|rev|revision|image|build|trace|request|fingerprint|cache|id|uuid|sum|public key|pubkey|offentlich\w*|clave publica|cle publique)\b[^\n]{0,24}$"
)
HEX = re.compile(r"[0-9a-fA-F]{32,}")
_PUBLIC = re.compile(
    r"ssh-(?:ed25519|rsa|dss)|ecdsa-sha2|AAAA[A-Z0-9]|-----BEGIN (?:CERTIFICATE|PUBLIC)|sha(?:256|384|512)[-:]|integrity|boundary=|data:\w+/|\bage1[a-z0-9]{30}"
)
OPEN_KEY = re.compile(
    r"\b(?:cache|public|primary|foreign|partition|sort|sorting|object|row|lookup|idempotency|issue|map|host|routing|message|dedupe|storage|metric|hot|short ?cut|config|registry|dictionary|unique|natural|"
    r"surrogate|composite|candidate|offentlicher?|clave|publishable|offentliche[rn]?)[ _-]{1,2}$"
)
"""What makes a key one that everybody may see, or none at all: `cache key`, `public key`."""


def is_readable(value: str) -> bool:
    """Base64 of words is no random string: what it says is judged once it is decoded."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except ValueError:
        return False
    return plain.isprintable() and sum(ch.isalpha() or ch == " " for ch in plain) >= len(plain) * 0.9


def assigned(part: Piece) -> tuple[str, int]:
    """The value of `NAME=value`, or the piece itself."""
    bare = part.text.lstrip(":=")
    if bare is not part.text and len(bare) < len(part.text):
        return bare, part.end - len(bare)
    head, sign, tail = part.text.partition("=")
    if not sign or len(tail) < 16 or len(head) > 30 or not re.fullmatch(r"[\w.-]+", head):
        return part.text, part.start
    value = tail.lstrip("\"'`")
    return CUT.split(value, maxsplit=1)[0], part.end - len(value)


def is_private(start: int, part: Piece, shown: str, folded: str) -> bool:
    """Neither called a hash or an identifier, nor a public key, checksum or boundary."""
    return not _HASHED.search(folded, max(0, start - 40), start) and not _PUBLIC.search(
        shown, max(0, start - 60), part.end
    )


def is_opaque_token(value: str) -> bool:
    if _OPAQUE.fullmatch(value) is None or len(value) < 20 or not any(ch.isdigit() for ch in value):
        return False
    if re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value.lower()) or "/" in value[:1]:
        return False
    if re.match(r"[\w-]+(?:\.[\w-]+)+/", value):
        return False
    if re.match(r"0x[0-9a-fA-F]{40}$|(?:bc|ltc|tb)1[a-z0-9]{25,}$", value) or re.search(
        r"\.(?:deb|rpm|t?gz|xz|zip|whl|jar|iso|img|exe|so|log|py|js)$", value
    ):
        return False
    if value.isdigit() or re.fullmatch(r"[a-z]+(?:[-_./][a-z0-9]{1,12})+", value) or value.count(".") > 3:
        return False
    mixed = any(ch.islower() for ch in value) and any(ch.isupper() for ch in value)
    return looks_random(value, 3.0) and (
        mixed or HEX.fullmatch(value) is not None or len(re.findall(r"\d", value)) >= 6
    )
