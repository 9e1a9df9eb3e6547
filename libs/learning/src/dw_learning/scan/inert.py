"""What is left of a text when it is only to be looked at: nothing in it acts or hides any more."""

import re
from collections.abc import Callable

_DROPPED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\ud800-\udfff]"
)
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])?")
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_TAGS = re.compile(f"({_FLAG})|[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+")
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_JOINER = re.compile("[\u200c\u200d]")
_JOINED = re.compile("[\u0590-\u0dff\u0f00-\u109f\u1780-\u18af\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]")
_SPOOFED_MARK = re.compile(r"[\u3164\u2800]+")


def inert(text: str) -> str:
    """Without invisible and control characters; joiners stay where a script or an emoji needs them.

    Idempotent, and never longer than what was given.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _ESCAPE.sub("", text)
    text = _DROPPED.sub("", text)
    if text.isascii():
        return text
    text = _TAGS.sub(lambda m: m[1] or "", text)
    text = _SPOOFED_MARK.sub(" ", text)
    text = _settled(text, _SELECTOR, _keep_selector)
    return _settled(text, _JOINER, _keep_joiner)


def _settled(text: str, pattern: re.Pattern[str], keep: Callable[[str, str, str], bool]) -> str:
    """Each match judged by what remains before it, so that a second pass finds nothing to do."""
    if pattern.search(text) is None:
        return text
    kept: list[str] = []
    for index, char in enumerate(text):
        if pattern.match(char) and not keep(kept[-1] if kept else "", char, text[index + 1 : index + 2]):
            continue
        kept.append(char)
    return "".join(kept)


def _keep_joiner(before: str, joiner: str, after: str) -> bool:
    return bool(_JOINED.match(before) and _JOINED.match(after))


def _keep_selector(before: str, selector: str, after: str) -> bool:
    """One selector, after a character that can have one."""
    if not before or "\ufe00" <= before <= "\ufe0f" or before >= "\U000e0000" or before in "\u200c\u200d":
        return False
    if selector >= "\U000e0100":
        return "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    return before in "0123456789#*©®" or before >= "\u2000"
