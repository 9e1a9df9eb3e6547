"""The own-words rule (C55): only what the sender said himself, in this very message, may be saved by itself."""

from __future__ import annotations

import html
import re

from dw_learning.doubt import ADDRESS, is_plain
from dw_learning.normal import NEGATIONS, content_tokens

MAX_OWN_CHARS = 500
_HANDED_ON = r"forwarded|weitergeleitete?n?|reenviado|inoltrat[oa]|encaminhad[ao]|doorgestuurd|przekazan[ay]"
"""How a message says that its words are another's, where plain letters suffice for it."""
_HANDS_ON = re.compile(_HANDED_ON, re.IGNORECASE)
_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"  # code block, also one that is not closed
    r"|`[^`\n]+`"
    r"|<(?P<tag>blockquote|pre|code|q|cite)\b.*?(?:</(?P=tag)\s*>|\Z)"
    r"|^[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[>＞|»›].*$"  # quoted line, however it is hidden
    r"|^(?: {4,}|\t)\S.*$|~~[^\n]{8,}?~~"  # code by indentation; what was struck out
    r"|^[ \t]*<[^<>\s]{1,64}>[ \t].*$"  # a line of a chat log
    r"|\"[^\"\n]{12,}\"|“[^”]{12,}”|„[^“”]{12,}[“”]|«[^»]{12,}»|「[^」]{12,}」|『[^』]{12,}』"
    r"|»[^«]{12,}«|‹[^›]{12,}›|›[^‹]{12,}‹"  # a sentence in quotation marks
    r"|(?<!\w)'[^\n]{12,}?'(?!\w)|‘[^\n]{12,}?’(?!\w)"
    r"|^[ \t]*(?:fwd?|wg|tr|rv|enc|i|doorst|vs|pd)[ \t]*[:：].*\Z"
    rf"|^.{{0,40}}\b(?:{_HANDED_ON}|transféré|réexpédié|переслан[оеі]|chuyển tiếp)\b.*\Z|^.{{0,20}}転送.*\Z"
    r"|^-{2,} ?(?:forwarded|original|weitergeleitet|mensaje|переслано).*\Z"
    r"|^on .{4,80} wrote:.*\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


MAX_PREFIX_WORDS = 6
_RULE = re.compile(r"[-_=*~–—]{4,}")
_STAMPED = re.compile(r"^\S+(?: \S+){0,4} ?[(\[]\d{1,2}[:.]\d{2}[^)\]]{0,8}[)\]]$")
_LOG_LINE = re.compile(
    r"\W{0,2}(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}:\d{2})[^\n]{0,30}?[-–\])][ \t]*[^\s:][^:\n]{0,40}:[ \t]"
)
# A clause behind the colon, as a person says it; "Parking: level 2" is one statement.
_PREFIX = re.compile(
    r"[ \t]*([^:：\n.!?]{1,60})[:：][ \t]*(?:[A-ZÀ-ÞА-ЯІЇЄҐ]|(?:the|our|my|a|an|we|das|der|die|den|unser\w*|wir|el|la|los|las|"
    r"nuestr\w+|le|les|notre|il|lo|gli|o|os|as|nosso|nossa|наш\w*|у|в|de|het|onze)\b)[^\s]*(?:[ \t]+\S+){3}"
    r"|[ \t]*([^:：\n。]{1,20})[:：][ \t]*[\u3040-\u30ff\u3400-\u9fff]{8}"
)
# "No, that's wrong: …" answers somebody; it does not negate what follows.
_LEAD_IN = re.compile(r"^\s*(?:no|nope|nah|non|nein|ні|não|нет|nie)\s*[,.;:!–—-]+", re.IGNORECASE)
_UNSEGMENTED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_UNSEGMENTED_END = re.compile("[。！？\n]")


# One line of nothing but words and the commonest signs, in which no quote, code or name of a speaker can stand.
_ORDINARY = re.compile(r"[A-Za-z0-9,.!?;/]+(?: {1,3}[A-Za-z0-9,.!?;/]+)*")


def own_part(text: str) -> str:
    """The text without quotes, code and forwarded parts; each becomes a break that no sentence reaches across."""
    if _ORDINARY.fullmatch(text) and _HANDS_ON.search(text) is None:
        return _LEAD_IN.sub("", text)
    plain = html.unescape(_LEAD_IN.sub("", text))  # Slack's own interface writes a quote's sign as &gt;
    return _UNSEGMENTED_END.sub(" \x1e ", _FOREIGN.sub(" \x1e ", _without_headers(plain)))


def _without_headers(text: str) -> str:
    """Whatever language a mail client or a chat writes it in: a line that ends with a colon, a rule, or a name with a
    time stands above somebody else's words; a name and a colon stand before them. Known words of address do not count."""
    kept: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _is_header(line) and any(rest.strip() for rest in lines[number + 1 :]):
            kept.append(" \x1e ")
            break
        kept.append(" \x1e " if _LOG_LINE.match(line) or _speaks_for_another(line) else line)
    return "\n".join(kept)


def _is_header(line: str) -> bool:
    stripped = line.strip()
    if _RULE.match(stripped) or _STAMPED.search(stripped):
        return True
    return stripped.endswith((":", "：")) and not ADDRESS.search(stripped)


def _speaks_for_another(line: str) -> bool:
    found = _PREFIX.match(line)
    if found is None:
        return False
    prefix = found[1] or found[2]
    return len(prefix.split()) <= MAX_PREFIX_WORDS and not ADDRESS.search(prefix)


def said(memory_text: str, own_text: str, subject_source: str = "") -> bool:
    """True if the memory's content words, negations and numbers occur in the sender's own words, in that order.

    `subject_source` is the agent's message that is being corrected: it may supply words that stand before the
    first own word, that is the subject, and no number or negation. Between the first and the last matched word no
    negation may be left out: "do not share it" does not say "share it".
    """
    if len(own_text) > MAX_OWN_CHARS or not is_plain(own_text):
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
