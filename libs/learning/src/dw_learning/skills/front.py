"""Front matter: one `key: value` a line between two fences. Read leniently as to quotes, written so that every reader of
YAML reads the same."""

from __future__ import annotations

import json
import re
from typing import Final

KEYS: Final = ("name", "description", "scope", "agent", "risk")
FENCE: Final = "---"


def lines_of(text: str) -> list[str]:
    """The lines of a file that a person wrote, whatever their editor ends lines with and puts before the first."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def front_matter(name: str, description: str, agent: str, risk: str, scope: str = "role_agent") -> str:
    """The five keys between their fences, and an empty line."""
    values = zip(KEYS, (name, description, scope, agent, risk), strict=True)
    return "\n".join([FENCE, *(f"{key}: {scalar(value)}" for key, value in values), FENCE, "", ""])


def scalar(value: str) -> str:
    """One line of YAML for a text: plain where that is safe for every reader, else in double quotes."""
    one_line = " ".join(value.split())
    plain = re.fullmatch(r"[^\W\d_][^:#\"'\[\]{}&*!|>%@`,]*[^\W_:#.]\.?", one_line)
    reserved = one_line.lower() in ("true", "false", "yes", "no", "on", "off", "null")
    return one_line if plain and not reserved else json.dumps(one_line, ensure_ascii=False)


def read_scalar(raw: str) -> str | None:
    """The text of a one-line value; None where quotes are opened and not closed, or it is no text of one line."""
    raw = raw.strip()
    if raw.startswith('"'):
        try:
            value = json.loads(raw)
        except ValueError:
            return None
        return value if isinstance(value, str) else None
    if raw.startswith("'"):
        inner = raw[1:-1]
        closed = len(raw) > 1 and raw.endswith("'") and "'" not in inner.replace("''", "")
        return inner.replace("''", "'") if closed else None
    return None if raw[:1] in ("|", ">", "[", "{", "&", "*", "!") else raw
