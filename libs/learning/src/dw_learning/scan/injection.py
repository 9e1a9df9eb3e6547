"""Sentences meant for the machine, told by what they want done and not by their wording (R312 to R316, C25)."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter

from dw_learning.scan import concepts as c
from dw_learning.scan.block import Block, Span, block, derivable
from dw_learning.scan.hidden import payloads, scan_hidden
from dw_learning.scan.hits import INJECTION, REJECT_FROM, Hit, merged
from dw_learning.scan.peel import Peeled, encoded, rejoined, turned, unleet
from dw_learning.scan.reading import Mark, Reading, marks, read, read_plain
from dw_learning.scan.rules import RULES, Rule
from dw_learning.scan.signs import IMAGE_LEAK, TAG, TEMPLATE, concealed_markup, form_concepts, form_marks
from dw_learning.scan.skim import Skim, read_on, skim
from dw_learning.scan.views import fold
from dw_learning.scan.worded import may_sound, worded

_TELLS = c.AI | c.ADDRESS | c.IGNORE | c.GRANT | c.CONCEAL | c.PRIV | c.OBEY
_SPEAKS = _TELLS | c.GATE | c.REVEAL | c.SEND | c.MEMORY | c.SECRETS | c.SKIP | c.CONTROL | c.RULES | c.DELETE
_WANTS = c.ME | c.MEMORY | c.CONCEAL | c.SKILL | c.FROM_NOW | c.EXTERNAL | c.SPOOF
"""Where one of these is said too, a warning about attacks may be a cloak for one."""

_BLOCK = 360
_STEP = 180
_HAS_FORM = re.compile(
    r"<\||\[/?inst|<<|</|!\[|<img|<!--|<[a-z]+ [^>]*(?:style|color|hidden)|\[//\]|\"role\"|\\(?:text)?color|%%"
    r"|(?:^|[\n.!?。])\s?[ \t]{0,20}[\[【<(*#=_~-]{1,8}[ \t]{0,4}/?[ \t]{0,4}[a-zа-яシ系시]|(?:^|\n)[ \t]{0,20}\w{2,10}[ \t]{0,4}[:：]"
)
_JOINED = re.compile(
    r"(?:ignore|disregard|forget|bypass|override)\w{0,24}(?:instruction|rules|polic|prompt|approv)|always(?:obey|trust)|approve(?:all|every)|reveal\w{0,12}(?:password|prompt|secret)"
)
_NEEDED: tuple[tuple[int, int, tuple[int, ...], Rule], ...] = tuple(
    (rule.anchors[0], rule.anchors[1], rule.anchors[2:], rule) for rule in RULES
)


def find_injections(reading: Reading) -> tuple[Hit, ...]:
    """Hits over the visible text, over what is hidden in it, and over what it encodes."""
    text = reading.seen
    found = worded(text.folded, reading.may, list(in_text(text.folded, reading.may)))
    for peeled in _other_readings(reading):
        found += _behind(peeled)
    placed = [Hit(hit.rule, hit.type, *text.span(hit.start, hit.end), hit.confidence) for hit in found]
    return tuple(placed)


def scan_injection(text: str) -> tuple[Hit, ...]:
    """Instructions for the machine and hidden text, spans in the original, in order of place."""
    first = skim(text)
    if first is not None and not _may_order(text, first):
        return ()
    return injections(text, read_on(text))


def _may_order(text: str, first: Skim) -> bool:
    """Whether a rule, a form or the wording could find fault; false for nearly every message."""
    may = first.may | first.forms
    if _asked_for(may | derivable(first.may)):
        return True
    if first.marked:
        folded = fold(text)
        if _HAS_FORM.search(folded) is not None and (tag_marks(folded) or any(_by_form(folded))):
            return True
    return may_sound(first, text)


def injections(text: str, reading: Reading) -> tuple[Hit, ...]:
    """As `scan_injection`, for a text that was read already."""
    hidden = scan_hidden(text, reading.seen)
    found = find_injections(reading)
    if not found and not hidden:
        return ()
    covers = merged(hidden)
    return merged((*(_surer(hit, covers) for hit in found), *hidden, *_in_payloads(text)))


def _surer(hit: Hit, covers: tuple[Hit, ...]) -> Hit:
    """What an attacker also hid is beyond doubt."""
    index = bisect_left(covers, hit.end, key=lambda cover: cover.start) - 1
    if index < 0 or covers[index].end <= hit.start:
        return hit
    return Hit(hit.rule, hit.type, hit.start, hit.end, max(hit.confidence, 0.95))


def _in_payloads(text: str) -> Iterator[Hit]:
    for payload, start, end in payloads(text):
        if find_injections(read(payload)):
            yield Hit("hidden.injection", "hidden_unicode", start, end, 0.98)


def in_text(folded: str, may: int, given: int = 0) -> Iterator[Hit]:
    """Hits in folded text of which `may` are the concepts; `given` ones are taken as said with each block."""
    tags: tuple[Mark, ...] = ()
    if _HAS_FORM.search(folded) is not None:
        yield from _by_form(folded)
        tags = tag_marks(folded)
    may |= given | form_concepts(folded) | (c.SPOOF if tags else 0) | derivable(may)
    rules = _asked_for(may)
    if not rules:
        return
    for part in _blocks(folded, all_marks(folded, tags), given):
        if part.mask & c.WARNS and not part.mask & _WANTS:
            continue
        for anchors, rule in rules:
            span = _applies(rule, anchors, part)
            if span is not None:
                yield _judged(rule, part, span)


@lru_cache(maxsize=1 << 12)
def _asked_for(may: int) -> tuple[tuple[tuple[int, ...], Rule], ...]:
    """The rules whose concepts are all there, each with all that it asks for."""
    return tuple(
        ((first, second, *others), rule)
        for first, second, others, rule in _NEEDED
        if may & first and may & second and all(may & other for other in others)
    )


def all_marks(folded: str, tags: tuple[Mark, ...] = ()) -> list[Mark]:
    """Concepts by word and by form, in order of place; the words inside an address say nothing."""
    forms = (*form_marks(folded), *tags)
    said = marks(folded)
    if forms:
        said = (
            *(
                m
                for m in said
                if not any(f.start <= m.start and m.end <= f.end for f in forms if f not in tags)
            ),
            *forms,
        )
    return sorted(said, key=itemgetter(1, 2)) if forms else list(said)


def tag_marks(folded: str) -> tuple[Mark, ...]:
    """Where the text poses as the system, a developer or a policy."""
    return tuple(Mark(c.SPOOF, match.start(), match.end()) for match in TAG.finditer(folded))


def _blocks(folded: str, said: list[Mark], given: int) -> Iterator[Block]:
    if len(folded) <= _BLOCK:
        yield block(folded, 0, said, given)
        return
    first = 0
    for start in range(0, len(folded), _STEP):
        end = start + _BLOCK
        while first < len(said) and said[first].start < start:
            first += 1
        here: list[Mark] = []
        for mark in said[first:]:
            if mark.start >= end:
                break
            here.append(mark)
        if here:
            yield block(folded[start:end], start, here, given)


def _applies(rule: Rule, anchors: tuple[int, ...], part: Block) -> Span | None:
    if part.mask & rule.bars or not all(part.mask & need for need in anchors):
        return None
    if part.is_question and not rule.asks:
        return None
    start, end = len(part.text) + part.start, part.start
    for first, second, most in rule.pairs:
        span = part.near(first, second, most)
        if span is None:
            return None
        start, end = min(start, span[0]), max(end, span[1])
    if part.mask & c.TALK and part.is_quoted((start, end)):
        return None
    return start, end


def _judged(rule: Rule, part: Block, span: Span) -> Hit:
    confidence = rule.confidence
    if rule.certain & part.mask and confidence >= 0.8 and not part.mask & c.TALK and not part.is_question:
        confidence = max(confidence, REJECT_FROM + 0.02)
    return Hit(f"{INJECTION}{rule.name}", rule.type, *span, confidence)


def _by_form(folded: str) -> Iterator[Hit]:
    for match in TEMPLATE.finditer(folded):
        yield Hit(f"{INJECTION}template_token", "system_spoof", match.start(), match.end(), 0.85)
    for match in IMAGE_LEAK.finditer(folded):
        yield Hit(f"{INJECTION}image_leak", "cred_exfil", match.start(), match.end(), 0.95)
    for words, start, end, least in concealed_markup(folded):
        inner = read_plain(words)
        if inner is not None and inner.may & _TELLS and (inner.may & _SPEAKS).bit_count() >= least:
            yield Hit("hidden.markup", "hidden_unicode", start, end, 0.92)


def _other_readings(reading: Reading) -> Iterator[Peeled]:
    shown = reading.seen.shown
    if reading.disguised:
        yield from encoded(shown)
        yield from rejoined(shown)
    if any(map(str.isdigit, shown)) or "@" in shown:
        yield from unleet(reading.folded)
    if reading.may & c.TURNED:
        yield from turned(shown)


def _behind(peeled: Peeled) -> Iterator[Hit]:
    inner = read_plain(peeled.text)
    if inner is None:
        return
    for hit in in_text(inner.folded, inner.may, 0 if peeled.kind == "leet" else c.AI | c.YOU):
        yield Hit(
            f"{INJECTION}{peeled.kind}", hit.type, *peeled.span(hit.start, hit.end), max(hit.confidence, 0.85)
        )
    if peeled.kind == "spaced":
        for match in _JOINED.finditer(inner.folded):
            yield Hit(f"{INJECTION}spaced", "ignore_policy", *peeled.span(*match.span()), 0.9)
