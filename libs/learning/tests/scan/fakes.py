"""Fake secrets, made when a test runs: right in form, never issued, and in no file for a scanner to stop at."""

import random
import string

ALNUM = string.ascii_letters + string.digits
_WORDS = ("Amber", "Falcon", "Otter", "Maple", "Harbor", "Pelican", "Saffron", "Walnut", "Comet", "Biscuit")
_SEED = (
    "apple river candle orbit velvet puzzle garden falcon timber copper meadow lantern saddle violin".split()
)


def fake(kind: str, seed: int = 0) -> str:
    """A secret (or look-alike) of the kind; the same seed gives the same one."""
    rng = random.Random(f"{kind}:{seed}")

    def some(alphabet: str, count: int) -> str:
        """With at least two digits and two letters where the alphabet has both."""
        while True:
            text = "".join(rng.choices(alphabet, k=count))
            digits = sum(ch.isdigit() for ch in text)
            if count < 12 or alphabet.isdigit() or 2 <= digits <= count - 2:
                return text

    makers = {
        "password": lambda: f"{rng.choice(_WORDS)}-{rng.choice(_WORDS)}-{rng.randint(10, 99)}!",
        "weak": lambda: rng.choice(_WORDS).lower() + str(rng.randint(100, 999)),
        "aws": lambda: "AK" + "IA" + some(string.ascii_uppercase + "234567", 16),
        "github": lambda: "gh" + "p_" + some(ALNUM, 36),
        "api_key": lambda: "sk" + "_live_" + some(ALNUM, 24),
        "pem": lambda: _pem(some(ALNUM + "+/", 190)),
        "private_key": lambda: _pem(some(ALNUM + "+/", 190)),
        "opaque": lambda: some(ALNUM, 40),
        "urlsafe": lambda: some(ALNUM, 14),
        "jwt": lambda: "ey" + "J" + some(ALNUM, 20) + ".ey" + "J" + some(ALNUM, 30) + "." + some(ALNUM, 40),
        "digits6": lambda: str(rng.randint(210000, 999999)),
        "digits4": lambda: str(rng.randint(3000, 9999)),
        "backup": lambda: f"{rng.randint(1000, 9999)}-{rng.randint(1000, 9999)}",
        "card": lambda: _card(rng),
        "seed": lambda: " ".join(rng.sample(_SEED, 12)),
        "base32": lambda: "7" + some(string.ascii_uppercase + "234567", 31),
        "half": lambda: some(ALNUM, 16),
        "sha1": lambda: some("0123456789abcdef", 40),
        "sha256": lambda: some("0123456789abcdef", 64),
        "md5": lambda: some("0123456789abcdef", 32),
        "uuid": lambda: "-".join(some("0123456789abcdef", n) for n in (8, 4, 4, 4, 12)),
    }
    return makers[kind]()


def _pem(body: str) -> str:
    lines = "\n".join(body[i : i + 64] for i in range(0, len(body), 64))
    return f"-----BEGIN {'PRIVATE'} KEY-----\n{lines}\n-----END {'PRIVATE'} KEY-----"


def _card(rng: random.Random) -> str:
    digits = [4] + [rng.randint(0, 9) for _ in range(14)]
    total = sum(d * 2 - 9 * (d > 4) if i % 2 == 0 else d for i, d in enumerate(digits))
    number = "".join(map(str, [*digits, -total % 10]))
    return " ".join(number[i : i + 4] for i in range(0, 16, 4))
