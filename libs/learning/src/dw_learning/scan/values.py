"""How much a piece of text looks like a password that somebody chose or was given."""

import re
from functools import lru_cache
from itertools import pairwise

from dw_learning.scan.shapes import is_placeholder

STRONG = 3
MEDIUM = 2
WEAK = 1
NONE = 0

_NOT_A_VALUE = re.compile(
    r"""(?xi)
      [a-z][a-z0-9+.-]*://.* | www\..* | /[\w./-]*/?[\w.-]* | ~?/.* | [a-z]:\\.* | \\\\.*    # addresses and paths
    | [^\s@:/]+@[^\s@]+\.[a-z]{2,}                                                        # mail
    | [^\s@]+@\d{1,3}(?:\.\d{1,3}){3} | @[\w.-]+ | \#[\w-]+ | <.*> | --?[a-z][\w-]*(?:=\S*)?                                # mentions, options
    | v?\d+(?:[.,:/x×-]\d+)*[%€$£a-z]{0,3}                                                 # numbers, dates, versions
    | [a-z]{1,12}-\d+(?:[.-]\d+)*                                                         # tickets, releases
    | \d+(?:st|nd|rd|th|er|ème|ª|º|ой|го|й) | \d{1,3}-?[a-zа-яіїє]+(?:-[a-z]+)?            # ordinals, 14-character
    | (?:[a-z0-9-]+\.)+(?:com|org|net|io|test|local|lan|internal|example|dev|ua|de|jp|vn|es|fr|co|uk|eu|ai|app|cloud)(?::\d+)?(?:/\S*)?
    | [\w-]+\.(?:py|md|txt|conf|cfg|ini|ya?ml|json|xml|html?|php|js|ts|sh|exe|msi|deb|rpm|zip|t?gz|pdf|docx?|xlsx?|csv|log|png|jpe?g|kdbx|env|sql|rs|go|cs|java|c|h|so|iso)
    | [a-z_][\w.]*\(.*\)?[;:]? | \$[a-z_]\w* | \$[{(].* | \{.*\}? | \[.*\]?                                # code
    | (?:sha|md|wpa|aes|rsa|ed|oauth|ipv|http|utf|iso|tls|ssl|base|rot|mfa|otp|totp|office|windows|win|kw|cw|fy|covid)[-_]?\d{1,5}(?:[.-]?\w{0,5})?
    | (?:m|o|q|h|p)-?\d[\w.-]{0,3}
    | \d?(?:2fa|mfa)|1password|auth0|0auth2?|log4j|argon2\w*|bcrypt\w*|k8s|i18n|l10n|s3|ec2|x509|x64|x86(?:_64)?|mp3|b2b
    | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
    | (?:[0-9a-f]{2}:){3,}[0-9a-f]{2} | 0x[0-9a-f]+
    | [a-z_]\w*\[['\"].*                                                                  # config['db']
    | (?:ctrl|alt|altgr|shift|cmd|strg|super|win|fn|option|umschalt)(?:[+-]\w+)+         # keys to press
    | [^\W\d_]+(?:['’][^\W\d_]+)+ | [^\W\d_]+(?:[/&+|][^\W\d_]+)+                             # don't, and/or
    """
)
_DIGIT = re.compile(r"\d")
_SPECIAL = re.compile(r"[^\w\-./:,]")
_JOINT = re.compile(r"[-_.:,/]")
_WORDY = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+(?:[-.][^\W\d_]+)*")
_JOINED_WORDS = re.compile(r"[a-z]{3,}(?:[-_.][a-z]{3,}){2,}")
_PROJECT = re.compile(r"[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)*")
_CAMEL = re.compile(r"(?:[A-Z]?[a-z]+)(?:[A-Z][a-z]+)+(?:\d{1,2})?")
_DICED = re.compile(
    r"[^\W\d_]{2,}(?:[-_.][^\W\d_]{2,})+[-_.]?\d{1,4}[!?#$%&*+]?|[^\W\d_]{3,}(?:[-_.](?:[^\W\d_]{3,}|\d{1,4})){2,}"
)
_TITLED = re.compile(r"[A-ZА-ЯІЇЄҐ][^\W\d_A-Z]{3,}[-_]\d{2,4}[!?#$%&*+]?")
_WORD_WORD_NUMBER = re.compile(r"[A-Z][a-z]+-[A-Z][a-z]+-\d{2,4}[!#$%&*?]")
_SOME_WORD_NUMBER = re.compile(r"[a-z]{6,12}-\d{2,4}")
_INNER_CAPITAL = re.compile(r"[a-z]+[A-Z][A-Za-z]*-\d+")
_LOUD_WORD_NUMBER = re.compile(r"[A-Z]{5,12}-\d{2,4}")
_RUNS = re.compile(r"[A-Z]+[a-z]*|[a-z]+|\d+")
_DIGITS_LETTERS = re.compile(r"\d{6,12}[a-z]{1,3}")
_NAMED_SIGN = re.compile(r".(?:[A-Z]?[a-z]+)(?:[A-Z][a-z]+)*\d*|.[A-Z_]+\d*")
_HASH = re.compile(r"(?:0x)?[0-9a-f]+|[0-9A-F]+")
STATUS = frozenset(
    "required needed expired wrong changed reset missing unknown incorrect invalid forgotten empty same different safe "
    "secure weak strong policy rotation manager protected field please here there below above attached sent in on the is "
    "and or not no yes ok okay done fixed working broken set updated gone lost stored saved hidden secret login username "
    "email user users auto none n/a na unchanged which what how why where who when that this these those works fails "
    "failed denied accepted rejected confirmed abgelaufen falsch vergessen geändert erforderlich nötig wrong zurückgesetzt "
    "забув забула невірний змінено скинуто потрібен неверный сброшен забыл нужен olvidada caducada incorrecta cambiada "
    "obligatoria expirée oublié incorrect requis wygasło błędne wymagane incorreta expirada scaduta errata sbagliata "
    "string text char varchar boolean number integer type name value key token change never always must should min max "
    "pending pendiente ausstehend folgt siehe unten oben coming soon later follows tomorrow heute morgen pendant attente bientot voir mañana manana luego despues "
    "depois pendente seguira in_arrivo dopo domani volgt later binnenkort wkrotce zobacz sonra yakında позже потом завтра ниже выше далее смотри пізніше згодом "
    "nachher separat separately separado separement privat private privado via per signal whatsapp mail email post sms telefon phone ask "
    "minimum maximum length characters chars zeichen znaków символів символов caracteres ký tự sai đúng quên hết".split()
)


@lru_cache(maxsize=32)
def strength(value: str) -> int:
    """STRONG says password by itself, MEDIUM beside the word for it, WEAK only when plainly named."""
    if len(value) < 4 or len(value) > 128:
        return NONE
    if value.isalpha() and (value.islower() or value.istitle()):
        return NONE if len(value) < 5 or is_placeholder(value) else WEAK
    if is_jumbled(value):
        return STRONG if any(map(str.isdigit, value)) else MEDIUM
    if is_placeholder(value):
        return NONE
    if _WORD_WORD_NUMBER.fullmatch(value):
        return STRONG
    if _TITLED.fullmatch(value):
        return MEDIUM
    if _NOT_A_VALUE.fullmatch(value):
        if _INNER_CAPITAL.fullmatch(value):
            return MEDIUM
        if _SOME_WORD_NUMBER.fullmatch(value) or _LOUD_WORD_NUMBER.fullmatch(value):
            return WEAK
        if _DIGITS_LETTERS.fullmatch(value):
            return MEDIUM
        return (
            WEAK if value.isdigit() or (value.isalnum() and value[0].isdigit() and len(value) >= 6) else NONE
        )
    if _PROJECT.fullmatch(value) and not (len(value) >= 8 and _mixed_digits(value)):
        return NONE if "-" in value or len(value) < 6 else WEAK
    lower = value.upper() != value
    upper = value.lower() != value
    digit = _DIGIT.search(value) is not None
    special = _SPECIAL.search(value) is not None
    joint = _JOINT.search(value, 1, len(value) - 1) is not None
    letters = lower or upper or value[0].isalpha()
    if len(value) >= 8 and lower and upper and digit and (special or _scrambled(value)):
        return STRONG
    if (
        len(value) >= 8
        and letters
        and special
        and (digit or (upper and lower and not _CAMEL.fullmatch(value)))
    ):
        return STRONG if _inner_special(value) or digit else MEDIUM
    if letters and (digit or special) and len(value) >= 6:
        return MEDIUM if not _WORDY.fullmatch(value.rstrip("!")) else WEAK
    if _DICED.fullmatch(value) or _JOINED_WORDS.fullmatch(value):
        return MEDIUM
    if _WORDY.fullmatch(value) or value.isalnum():
        return WEAK
    return MEDIUM if joint and digit else NONE


def is_jumbled(value: str) -> bool:
    """Letters in no order of case, or digits all through the letters: no word, no name, no hash."""
    if (
        len(value) < 9
        or not re.fullmatch(r"[#$%@&!?*(]?[A-Za-z0-9_]+[!?*#$%&)]?", value)
        or _HASH.fullmatch(value)
    ):
        return False
    if value[0] in "#$@%&" and _has_all_kinds(value) and not _NAMED_SIGN.fullmatch(value):
        return True
    runs = _RUNS.findall(value)
    letters = [run for run in runs if not run.isdigit()]
    short = sum(len(run) <= 2 for run in letters)
    mixed = any(map(str.islower, value)) and any(map(str.isupper, value))
    if len(letters) < len(runs):
        return len(runs) >= 5 and sum(map(len, runs)) <= len(runs) * 2.6 and (mixed or len(runs) >= 6)
    return mixed and len(letters) >= 4 and short >= 2 and len(value) <= len(letters) * 3.2


def _has_all_kinds(value: str) -> bool:
    return any(map(str.islower, value)) and any(map(str.isupper, value)) and any(map(str.isdigit, value))


def is_chosen(value: str) -> bool:
    """Letters and digits together, with a capital inside a word or a sign: no word, no version, no number."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.islower, value))
        and (any(map(str.isupper, value)) or _SPECIAL.search(value[1:]) is not None)
    )


def is_joined(value: str) -> bool:
    """Three words or more, joined by signs."""
    return _JOINED_WORDS.fullmatch(value) is not None


def is_password_shape(value: str) -> bool:
    """So plainly a password that no word beside it is needed."""
    if _WORD_WORD_NUMBER.fullmatch(value):
        return True
    if not 9 <= len(value) <= 40 or strength(value) != STRONG:
        return False
    has = (any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value)))
    special = [ch for ch in value[1:] if ch in "!#$%^&*~@"]
    return all(has) and bool(special) and re.fullmatch(r"[\w!#$%^&*~@+.-]+", value) is not None


def _scrambled(value: str) -> bool:
    """Case and digits alternate as no word, product or identifier in prose does."""
    kinds = "".join(
        "d" if ch.isdigit() else "u" if ch.isupper() else "l" if ch.islower() else "" for ch in value
    )
    changes = sum(1 for a, b in pairwise(kinds) if a != b and a + b != "ul")
    return changes >= 3 or (len(value) >= 8 and changes >= 2 and _CAMEL.fullmatch(value) is None)


def _mixed_digits(value: str) -> bool:
    return len(re.findall(r"\d+", value)) >= 2 and len(re.findall(r"[A-Z]+", value)) >= 2


def _inner_special(value: str) -> bool:
    return any(not ch.isalnum() and ch not in "-_./:,'’" for ch in value[1:-1])
