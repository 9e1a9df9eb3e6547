"""Tokens of a chat message. Numbers stay whole, apostrophes stay inside words, signs without spaces stay in runs."""

from __future__ import annotations

import re

_ASCII_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z0-9]+)*|[0-9]+(?:[.,:/][0-9]+)*")
_PLAIN = str.maketrans(
    {chr(code): " " for code in range(128) if not chr(code).isalpha()} | dict.fromkeys("'0123456789", "'")
)
_TOKEN = re.compile(r"[^\W\d_][^\W_]*(?:'[^\W_]+)*|\d+(?:[.,:/]\d+)*")
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad\ufe0f]")


def folded(text: str) -> str:
    """The same length as `text` for nearly all text: spans found in it are used on the original only after a check."""
    return text.lower().replace("’", "'").replace("ʼ", "'").replace("`", "'")


def words(text: str) -> list[str]:
    """Lower-case tokens in order."""
    return tokens_of(folded(text))


def tokens_of(low: str) -> list[str]:
    """Tokens of a text that is folded already."""
    if not low.isascii():
        return _TOKEN.findall(low)
    parted = low.translate(_PLAIN)
    return (
        _ASCII_TOKEN.findall(low) if "'" in parted else parted.split()
    )  # most text is words and nothing else


def is_unspaced(text: str) -> bool:
    """Does the text hold signs of a script that writes no spaces (Japanese, Chinese)?"""
    return UNSPACED.search(text) is not None


def own_lines(text: str) -> str:
    """The text without code blocks and quoted lines: a line break and spaces stand there, so that places stay."""
    return QUOTED_LINE.sub(_blank, CODE_BLOCK.sub(_blank, text))


def _blank(found: re.Match[str]) -> str:
    return "\n" + " " * (found.end() - found.start() - 1) if found.end() > found.start() else ""
