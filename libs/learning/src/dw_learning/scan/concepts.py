"""The notions that attacks and secrets are made of, each one bit, in every language the same."""

from typing import Final

# what is done
IGNORE = 1 << 0
SKIP = 1 << 1
DISABLE = 1 << 2
WITHOUT = 1 << 3
REVEAL = 1 << 4
SEND = 1 << 5
ASK = 1 << 6
OBEY = 1 << 7
GRANT = 1 << 8
MEMORY = 1 << 9
EDIT = 1 << 10
CONCEAL = 1 << 11
DELETE = 1 << 12
ACT = 1 << 13
# to what
RULES = 1 << 14
PRIOR = 1 << 15
PROMPT = 1 << 16
GATE = 1 << 17
AUDIT = 1 << 18
SKILL = 1 << 19
PRIV = 1 << 20
DATA = 1 << 21
CONTROL = 1 << 22
SECRETS = 1 << 23
PAY = 1 << 24
# who
AI = 1 << 25
YOU = 1 << 26
ME = 1 << 27
AUTHORITY = 1 << 28
# how
ALL = 1 << 29
FROM_NOW = 1 << 30
AUTO = 1 << 31
EVEN_IF = 1 << 32
NEW = 1 << 33
# guises
MODE = 1 << 34
SPOOF = 1 << 35
PRETEXT = 1 << 36
PAYLOAD = 1 << 37
DECODE = 1 << 38
WHEN = 1 << 39
# what speaks against
NEG = 1 << 40
TALK = 1 << 41
VENDOR = 1 << 42
RESET = 1 << 43
# secrets
PASSWORD = 1 << 44
LOGIN = 1 << 45
TOKEN = 1 << 46
CODE = 1 << 47
PIN = 1 << 48
SEED = 1 << 49
BACKUP = 1 << 50
CARD = 1 << 51
SHARING = 1 << 52
WIFI_KEY = 1 << 53
TRUSTED = 1 << 54
REQUEST = 1 << 55
NEED = 1 << 56
SOURCE = 1 << 57
LOCK = 1 << 58
SPELL = 1 << 59
HALF = 1 << 60
ADDRESS = 1 << 61
EXTERNAL = 1 << 62
EVIL = 1 << 63
ORG_RULES = 1 << 64
AUTO_GATE = 1 << 65
TURNED = 1 << 66
VOID = 1 << 67
ORG = 1 << 68
COMPLY = 1 << 69
LEAK = 1 << 70
DEFY = 1 << 71
WARNS = 1 << 72
READER = 1 << 73
"""A machine that reads on, spoken to in a text that is passed on."""
CODE_WORD = 1 << 80
"""A bare word for a code, or a text message: a secret only if it is said what the code is, and not of what kind."""

SECRET_WORDS = PASSWORD | LOGIN | TOKEN | CODE | PIN | SEED | BACKUP | CARD | SHARING | WIFI_KEY

_NAMES: Final = {
    bit: name for name, bit in vars().copy().items() if isinstance(bit, int) and bit.bit_count() == 1
}


def names_of(may: int) -> list[str]:
    """The concepts of a set by name, in their order."""
    return [name for bit, name in _NAMES.items() if may & bit]
