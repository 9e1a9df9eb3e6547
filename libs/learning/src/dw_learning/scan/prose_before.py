"""A value that stands before the word for it: `Otter-1!x is the password`, `Otter-1!x (the vpn one)`."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.pieces import BREAK, Piece
from dw_learning.scan.reading import Mark
from dw_learning.scan.values import MEDIUM, STRONG, WEAK, strength

_BEFORE = 5
SETTING = re.compile(
    r"(?:[a-z][a-z_.-]{1,40}|[A-Z][A-Z_.-]{1,40}|[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){0,3})\d?=(?!=)|[A-Z]=[/~.]|[\w-]{1,24}\[\d+\]?$|[\w.-]+@[\w.-]+/"
)
ENDS = re.compile(r"[.!?。！？]\s|\n\s*\n")
_SAYS_IT = re.compile(
    r"[\"'`.,»” ;–—-]*(?:that's|thats|that is|this is|that was|das ist|das war|c'est|eso es|ese es|esa es|e questa|questa e|to jest|dat is|det ar|det er|bu|это|це|đó là|do la)\b|[\"'`.,»” ]*(?:is|ist|es|est|to|is|это|це|la|jest|e|as|als|como|comme|come|jako|як|как|lam|som|in as)\b|[\"'`.,»” ]*(?:[-—はが是]|として|<-|←)"
)
_FOR = re.compile(r"[\"'`.,»” ]*(?:for|fur|pour|para|per|для|cho|voor|dla)\b")
_IN_BRACKETS = re.compile(
    r"[\"'`”» ]*\(\s*(?:(?:it's |that's |is )?(?:the|my|our|that|das|mein|la|le|el|il|mon|mi|a|o|это|це|new|old)\s+)?"
)
_HOST = re.compile(r"\b(?:ssh|scp|sftp|rdp|rsync|telnet|psql|mosh|to|on|at|auf)\s+(?:-\S+\s+){0,2}$")
_NAME_ONLY = re.compile(r"[A-Za-z_]+=")


def has_sign(value: str) -> bool:
    return any(ch in "!#$%^&*~@?+" for ch in value)


def value_before(mark: Mark, at: int, folded: str, parts: list[Piece]) -> Iterator[Hit]:
    """`Otter-1!x is the password`, `Otter-1!x ist das Passwort`."""
    index = at
    while index > 0 and (index >= len(parts) or parts[index].end > mark.start):
        index -= 1
    for step, part in enumerate(reversed(parts[max(0, index + 1 - _BEFORE) : index + 1])):
        if part.text == BREAK or part.end > mark.start:
            if part.text == BREAK:
                return
            continue
        if part.text.isalpha() or _NAME_ONLY.fullmatch(part.text) or SETTING.match(part.text):
            continue
        if folded[part.end : part.end + 1] == ":" and (step or mark.start > part.end + 2):
            continue
        if "@" in part.text and _HOST.search(folded, max(0, part.start - 16), part.start):
            continue
        gap = folded[part.end : mark.start]
        if ENDS.search(gap) or _FOR.match(gap):
            return
        level = strength(part.text)
        if level == STRONG and (mark.bits & c.PASSWORD or has_sign(part.text)):
            yield _hit("password_named", "password", part.start, part.end, 0.85)
        elif level >= WEAK and mark.bits & c.PASSWORD and step <= 1 and _IN_BRACKETS.fullmatch(gap):
            if level > WEAK or any(map(str.isdigit, part.text)):
                yield _hit("password_named", "password", part.start, part.end, 0.75)
        elif level == MEDIUM and mark.bits & c.PASSWORD and step <= 3 and _SAYS_IT.match(gap):
            if (
                gap.strip().startswith("e ")
                and at < len(parts)
                and (parts[at].text == BREAK or strength(parts[at].text) >= MEDIUM)
            ):
                continue
            yield _hit("password_named", "password", part.start, part.end, 0.8)


def _hit(rule: str, kind: str, start: int, end: int, confidence: float) -> Hit:
    return Hit(f"{SECRET}{rule}", kind, start, end, confidence)
