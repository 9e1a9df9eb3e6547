"""Which words of a text name a person who is to be erased (C72), as a pattern for PostgreSQL and as search tokens. Pure.

Words that would hit too much are left out: an account called `bob` or `42` is erased where it stands as an account, and
not looked for inside of sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from dw_learning.history_tokens import index_tokens

ERASED: Final = "[erased]"
MIN_NAME: Final = 2
MIN_ACCOUNT: Final = 4
MIN_DIGITS: Final = 7
MAX_TERMS: Final = 200
# Letters and digits of scripts that write words apart. Named here, because what counts as a letter is up to the
# database's locale otherwise. Signs of other scripts have no neighbours that would make another word of them.
_WORD: Final = "0-9A-Za-z_\u00c0-\u024f\u0370-\u052f\u1e00-\u1eff"
_IS_WORD: Final = re.compile(f"[{_WORD}]")


def terms_of(names: Iterable[str], accounts: Iterable[str]) -> tuple[str, ...]:
    """What is looked for in texts, longest first: a full name before its parts."""
    found = {name for text in names if len(name := " ".join(text.split())) >= MIN_NAME and _has_letter(name)}
    found |= {account for account in accounts if _is_telling(account)}
    return tuple(sorted(found, key=lambda term: (-len(term), term))[:MAX_TERMS])


def _has_letter(text: str) -> bool:
    return any(char.isalpha() for char in text)


def _is_telling(account: str) -> bool:
    return len(account) >= (MIN_DIGITS if account.isdigit() else MIN_ACCOUNT)


def pattern_of(terms: Iterable[str]) -> str | None:
    """One advanced regular expression of PostgreSQL, to be used without regard to case. None: nothing to look for."""
    forms: dict[str, None] = {}
    for term in terms:
        for spelled in (term, term.lower(), term.upper(), term.title()):
            for norm in ("NFC", "NFD"):
                forms[unicodedata.normalize(norm, spelled)] = None
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    return "|".join(_bounded(form) for form in ordered) or None


def _bounded(text: str) -> str:
    before = f"(?<![{_WORD}])" if _IS_WORD.match(text[0]) else ""
    after = f"(?![{_WORD}])" if _IS_WORD.match(text[-1]) else ""
    return before + "".join(_escaped(char) for char in text) + after


def _escaped(char: str) -> str:
    if char == " ":
        return r"\s+"
    return char if char.isalnum() or ord(char) > 127 else "\\" + char


def tokens_of(terms: Iterable[str]) -> list[str]:
    """The same words as they stand in the index of history."""
    return sorted({token for term in terms for token, _ in index_tokens(term)})
