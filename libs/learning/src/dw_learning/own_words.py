"""The own-words rule (C55): only what the sender said himself, in this very message, may be saved by itself."""

from __future__ import annotations

import html
import re

from dw_learning.normal import NEGATIONS, content_tokens

MAX_OWN_CHARS = 500
_SAYS = (  # whoever reports what another one said does not say it himself
    r"said|says|wrote|writes|told|tells|claims?|claimed|posted|replied|reports?|reported|mentioned|heard|according to|"
    r"sagt|sagte|schrieb|schreibt|meint|meinte|laut|behauptet|dice|dijo|escribió|según|dicen|каже|сказав|сказала|"
    r"написав|написала|пише|за словами|theo|nói|bảo|viết|dit|écrit|selon|ha detto|secondo|disse|segundo|mówi|napisał\w*"
)
_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"  # code block, also one that is not closed
    r"|`[^`\n]+`"
    r"|<(?P<tag>blockquote|pre|code|q|cite)\b.*?(?:</(?P=tag)\s*>|\Z)"
    r"|^[ \t]*(?:[>＞|]).*$"  # quoted line, and what stands under it
    r"|^[ \t]*<[^<>\s]{1,64}>[ \t].*$"  # a line of a chat log
    r"|\"[^\"\n]{12,}\"|“[^”]{12,}”|„[^“”]{12,}[“”]|«[^»]{12,}»|「[^」]{12,}」"  # a sentence in quotation marks
    r"|(?<!\w)'[^\n]{12,}?'(?!\w)|‘[^\n]{12,}?’(?!\w)"
    r"|^[ \t]*(?:fwd?|forwarded|weitergeleitet|wg|reenviado|переслано|chuyển tiếp|転送)[ \t]*[:：].*\Z"
    r"|^-{2,} ?(?:forwarded|original|weitergeleitet|mensaje|переслано).*\Z"
    r"|^on .{4,80} wrote:.*\Z"
    rf"|\b(?:{_SAYS})\b[^\n]*|(?:によると|と言って|が言うには)[^\n]*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


# "No, that's wrong: …" answers somebody; it does not negate what follows.
_LEAD_IN = re.compile(r"^\s*(?:no|nope|nah|non|nein|ні|não|нет|nie)\s*[,.;:!–—-]+", re.IGNORECASE)
_UNSEGMENTED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_UNSEGMENTED_END = re.compile("[。！？\n]")


def own_part(text: str) -> str:
    """The text without quotes, code and forwarded parts; each becomes a break that no sentence reaches across."""
    plain = html.unescape(_LEAD_IN.sub("", text))  # Slack's own interface writes a quote's sign as &gt;
    return _UNSEGMENTED_END.sub(" \x1e ", _FOREIGN.sub(" \x1e ", plain))


def said(memory_text: str, own_text: str, subject_source: str = "") -> bool:
    """True if the memory's content words, negations and numbers occur in the sender's own words, in that order.

    `subject_source` is the agent's message that is being corrected: it may supply words that stand before the
    first own word, that is the subject, and no number or negation. Between the first and the last matched word no
    negation may be left out: "do not share it" does not say "share it".
    """
    if len(own_text) > MAX_OWN_CHARS:
        return False
    wanted = content_tokens(memory_text)
    subject = set(content_tokens(subject_source)) if subject_source else set()
    for own in (content_tokens(part) for part in own_part(own_text).split("\x1e")):
        rest = _without_subject(wanted, own, subject)
        if rest and _in_order(rest, own):
            return True
    return False


def _without_subject(wanted: list[str], own: list[str], subject: set[str]) -> list[str]:
    """Drop leading words that only the corrected message has. Negations and numbers are never dropped."""
    present = set(own)
    for index, token in enumerate(wanted):
        if token in present or token not in subject or token in NEGATIONS or token[0].isdigit():
            return wanted[index:]
    return []


def _in_order(wanted: list[str], own: list[str]) -> bool:
    """Is `wanted` a subsequence of `own`, with no negation skipped between its first and last word?"""
    return any(token == wanted[0] and _matches_from(wanted, own, start) for start, token in enumerate(own))


def _matches_from(wanted: list[str], own: list[str], start: int) -> bool:
    if start > 0 and own[start - 1] in NEGATIONS:
        return False
    place = 0
    for index in range(start, len(own)):
        token = own[index]
        if token == wanted[place]:
            place += 1
            if place == len(wanted):
                return _ends_here(own, index)
        elif token in NEGATIONS:
            return False
    return False


def _ends_here(own: list[str], last: int) -> bool:
    """The sentence may go on, but not with a negation ("heißt X nicht"); scripts without spaces negate in the verb's
    ending, so there the memory must reach the end of the part."""
    if last + 1 == len(own):
        return True
    following = own[last + 1]
    return following not in NEGATIONS and not _UNSEGMENTED.match(own[last])
