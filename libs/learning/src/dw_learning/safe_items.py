"""The wall between what a model says and what is stored, published or shown (G26, C53): every string field of an item.

Texts lose their secrets; keys become plain slugs; labels that hold a secret or an instruction are dropped. Injections
in a text stay where they are, for policy to judge (C25). The detector asks it before it stores, policy before it decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Final

from dw_contracts.events.detections import DetectionItem
from dw_learning import scan
from dw_learning.extract.keys import MAX_KEY, topic_key
from dw_learning.normal import has_words
from dw_learning.scan.worded import BY_WORDING

MOST_CHARS: Final = 16_384
LAST_PLACE: Final = 2**31 - 1
NOTE: Final = "note"
Scan = Callable[[str], Sequence[scan.Hit]]
_JOINTS: Final = re.compile(r"[-_.:/#|]+")
_APOSTROPHES: Final = str.maketrans("", "", "'’")


def safe_items(
    items: Sequence[DetectionItem],
    secrets: Scan = scan.scan_secrets,
    injections: Scan = scan.scan_injection,
) -> tuple[DetectionItem, ...]:
    """The items, fit to be kept. Asked again, it changes nothing. The scans may be ones that remember."""
    return tuple(_safe(item, secrets, injections) for item in items)


def without_item_secrets(text: str, secrets: Scan = scan.scan_secrets) -> str:
    """Each secret as its placeholder, by which policy sees that one was here."""
    text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")  # PostgreSQL keeps none
    if not secrets(text):
        return text
    return scan.cleaned(text, most_bytes=4 * MOST_CHARS, most_chars=MOST_CHARS, judge=False).text


def is_slug(key: str) -> bool:
    """Small letters, digits and what joins them: a key that can name a file and says nothing to a machine."""
    folded = unicodedata.normalize("NFKC", key).casefold()
    return key == folded and has_words(key) and key[0] not in "-_.'’" and all(map(_may_stand, key))


def _safe(item: DetectionItem, secrets: Scan, injections: Scan) -> DetectionItem:
    def is_unfit(name: str) -> bool:
        return any(
            secrets(form) or any(hit.rule != BY_WORDING for hit in injections(form)) for form in _forms(name)
        )  # a label is too short for wording alone to say anything

    text = without_item_secrets(item.text, secrets)
    start, end = item.span
    key = _key(item.key, text, is_unfit)
    told = {*_forms(key), item.memory_type}  # fit: looked through with the key, or ours
    kept: dict[str, Any] = {
        "text": text,
        "span": (_place(start), _place(end)),
        "key": key,
        "subject": item.subject,
        "category": item.category,
    }
    if item.subject and item.subject not in told and not _is_label(item.subject, is_unfit):
        kept["subject"] = None
    if item.category not in told and not _is_label(item.category, is_unfit):
        kept["category"] = item.memory_type
    changed = {name: value for name, value in kept.items() if value != getattr(item, name)}
    return item.model_copy(update=changed) if changed else item


def _key(key: str, text: str, is_unfit: Callable[[str], bool]) -> str:
    """The model's, as a slug; where that will not do, one of ours, of the words of the text."""
    if is_unfit(key):
        key = topic_key(text)
        if is_unfit(key):
            return NOTE
    if is_slug(key):
        return key
    return _slug(key) or _slug(topic_key(text)) or NOTE


def _slug(key: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold())
    joined = "".join(c if _is_of_a_word(c) else "-" for c in folded.translate(_APOSTROPHES))
    slug = "-".join(part for part in joined.split("-") if part)[:MAX_KEY].rstrip("-")
    return slug if is_slug(slug) else ""


def _forms(name: str) -> set[str]:
    """As it stands, and as words: joints hide neither a key nor an order. Without a digit only the words say anything."""
    words = _JOINTS.sub(" ", name)
    return {name, words} if any(char.isdigit() for char in name) else {words}


def _is_label(label: str, is_unfit: Callable[[str], bool]) -> bool:
    return label.isprintable() and not is_unfit(label)


def _place(at: int) -> int:
    """JSON of ours ends at 64 bits."""
    return min(max(at, 0), LAST_PLACE)


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _may_stand(char: str) -> bool:
    return char in "-_.'’" or _is_of_a_word(char)
