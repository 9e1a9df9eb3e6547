"""What a message teaches: kind, words, key, confidence. The words are the message's own, always (C54, C55)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from dw_learning.extract.held_back import LASTING, PLAIN, boasts, may_rule
from dw_learning.extract.item import Extracted, Kind, MemoryType
from dw_learning.extract.keys import subject_of, topic_key
from dw_learning.normal import NEGATIONS, content_tokens
from dw_learning.risk import classify_risk
from dw_learning.risk.signs import SENSITIVE
from dw_learning.words.cues import Reading, read
from dw_learning.words.features import features
from dw_learning.words.frame import frame
from dw_learning.words.linear import Classes, load_classes
from dw_learning.words.polite import core
from dw_learning.words.restate import restated
from dw_learning.words.sentences import Span, after_lead_in, sentences, trim
from dw_learning.words.steps import is_procedure
from dw_learning.words.tokens import own_lines

EXTRACT_VERSION = "extract-6"
MAX_MEMORY = 600
MAX_PROCEDURE = 4_000
MAX_ITEMS = 4
SKIP = 0.45  # chance of "skip" from which a message teaches nothing
SENTENCE_SKIP = 0.6
MAX_CLEAR_WORDS = 32
DENIAL_WORDS = 4
CLEAR, MIDDLING, VAGUE = 0.85, 0.75, 0.6
_STATED: tuple[Kind, ...] = ("memory_fact", "memory_preference", "correction")


@dataclass(frozen=True, slots=True)
class _Message:
    """A message on its way to items. `body` is `text` with quotes and code blanked, so that places stay."""

    text: str
    body: str
    prev: str | None
    reading: Reading
    chances: dict[str, float]
    trained: Classes


_TAKEN_BACK = re.compile(  # "forget that the plotter stands in …": what follows is what is taken back
    r"\W*(?:please |bitte |por favor,? )?(?:forget|unlearn|vergiss|vergesst|vergessen sie|olvida|olvidad|olvide|oublie[sz]?|dimentica|"
    r"esqueça|esquece|забудь(?:те)?|hãy quên|quên|zapomnij|vergeet|glöm)[, ]+(?:that|dass|que|qu'|che|що|rằng|là|że|dat|att)\s+"
    r"(?=(?:\S+\s+){2})",
    re.IGNORECASE,
)


def extract(text: str, prev: str | None, prev_author: str | None, role: str | None) -> tuple[Extracted, ...]:
    """What the message teaches, in the order of the text. Empty: nothing that outlasts the day."""
    return extract_by(model(), text, prev, prev_author)


def extract_by(
    trained: Classes, text: str, prev: str | None, prev_author: str | None
) -> tuple[Extracted, ...]:
    """The same with another model: training measures models that never saw the message."""
    body = own_lines(text)
    if not body.strip():
        return ()
    reading = read(body.strip())
    subject = prev if prev_author == "agent" else None
    if (taken_back := _TAKEN_BACK.match(body)) is not None:
        return (_item("retract", text, trim(body, taken_back.end(), len(body)), CLEAR, None),)
    if "retract" in reading.cues and len(reading.tokens) <= 14:
        return (_item("retract", text, trim(body, 0, len(body)), CLEAR, prev),)
    if (whole := restated(body.strip(), subject)) is not None:
        return _corrected(trained, whole, trim(body, 0, len(body)), prev)
    chances = trained.chances(*_features(reading, prev))
    if chances["skip"] >= SKIP:
        chances = _core_chances(trained, body) or chances
    message = _Message(text, body, subject, reading, chances, trained)
    kind = _kind(message)
    if kind is None:
        return ()
    if kind in _STATED:
        return _stated(message, kind)
    span = _whole(body, MAX_PROCEDURE if kind == "skill_procedure" else MAX_MEMORY)
    return (_item(kind, text, span, _confidence(message), subject),)


def _corrected(trained: Classes, whole: str, span: Span, prev: str | None) -> tuple[Extracted, ...]:
    """A short correction as the sentence that it means. `span` is of the message."""
    reading = read(whole)
    message = _Message(whole, whole, prev, reading, trained.chances(*_features(reading, prev)), trained)
    kind = _kind(message)
    if kind is None:
        return ()
    found: Kind = "correction" if kind in _STATED else kind
    return (replace(_item(found, whole, (0, len(whole)), _confidence(message), prev), span=span),)


def _features(reading: Reading, prev: str | None) -> tuple[list[str], list[str]]:
    """Those of triage and the frame of the sentence."""
    sparse, dense = features(reading, prev)
    return [*sparse, *frame(reading)], dense


def _core_chances(trained: Classes, body: str) -> dict[str, float] | None:
    """The chances of what stands between thanks and goodbye."""
    span = core(body)
    return None if span is None else trained.chances(*_features(read(body[slice(*span)]), None))


def _kind(message: _Message) -> Kind | None:
    """The kind of the whole message; None where it teaches nothing."""
    chances, skip = message.chances, message.chances["skip"]
    if skip >= 0.85 or (message.reading.first == "question" and skip >= 0.3):
        return None
    asks = bool(message.reading.cues & {"request", "question"})
    if (_sensitive(message.body) and not (asks and skip >= SKIP)) or chances["sensitive"] >= 0.6:
        return "sensitive"
    if skip >= SKIP or ("hedge" in message.reading.cues and skip >= 0.3) or boasts(message.reading):
        return None
    if chances["skill_procedure"] >= 0.5 or (
        is_procedure(message.body) and chances["skill_procedure"] >= 0.1
    ):
        return "skill_procedure"
    return max(_STATED, key=lambda kind: chances[kind])


def _sensitive(text: str) -> bool:
    return bool(SENSITIVE.intersection(classify_risk(text, "").reasons))


def _stated(message: _Message, kind: Kind) -> tuple[Extracted, ...]:
    """One item a sentence that says something; a fragment belongs to the sentence before it."""
    body = message.body
    spans: list[Span] = []
    for start, end in sentences(body):
        begin = after_lead_in(body, start, end)
        words = content_tokens(body[begin:end])
        if not words:
            continue
        if spans and _belongs(body, spans[-1], (begin, end), len(words)):
            spans[-1] = (spans[-1][0], end)
        elif _says_something(message, body[begin:end], len(words)):
            spans.append((begin, end))
    if not spans:
        spans = [_whole(body, MAX_MEMORY)]
    sure = VAGUE if may_rule(message.reading, kind) else _confidence(message)
    items = [_stated_item(message, kind, span, sure) for span in spans]
    return tuple(item for item in items if len(item.text) <= MAX_MEMORY)[:MAX_ITEMS]


def _stated_item(message: _Message, kind: Kind, span: Span, sure: float) -> Extracted:
    """What repeats the agent's own words corrects nothing: it is filed under its own topic, where it meets what the agent
    knows already (D13)."""
    if kind == "correction" and message.prev and _repeats(message.prev, message.body[slice(*span)]):
        kind = "memory_fact"
    return _item(kind, message.text, span, sure, message.prev if kind == "correction" else None)


def _repeats(told: str, sentence: str) -> bool:
    known, said = content_tokens(told), content_tokens(sentence)
    return any(known[at : at + len(said)] == said for at in range(len(known) - len(said) + 1))


def _belongs(body: str, before: Span, span: Span, words: int) -> bool:
    """Is the sentence a part of the one before it, on the same line?"""
    if span[1] - before[0] > MAX_MEMORY or "\n" in body[before[1] : span[0]]:
        return False
    return words < 3 or _leans(body[slice(*span)])


_LEANING = frozenset(
    """it he she they this that was were is them those these which because since so but and er sie es das weil
    aber und denn eso esto porque pero y він вона воно це бо але тому nó điều vì nhưng""".split()
)


def _leans(sentence: str) -> bool:
    """Does the sentence need the one before it ("Was raised in July", "It prints both sides")?"""
    words = read(sentence).tokens
    return bool(words) and words[0] in _LEANING


def _only_denies(sentence: str) -> bool:
    """ "Not the head.": what holds instead stands in the sentence behind it."""
    words = read(sentence).tokens
    return bool(words) and words[0] in NEGATIONS and len(words) <= DENIAL_WORDS


def _says_something(message: _Message, sentence: str, words: int) -> bool:
    if words < 2 or _only_denies(sentence):
        return False
    if classify_risk(sentence, "").reasons:
        return True  # what is risky is never left out of sight
    chances = message.trained.chances(*_features(read(sentence), None))
    return chances["skip"] < SENTENCE_SKIP


def _whole(body: str, most: int) -> Span:
    start, end = trim(body, 0, len(body))
    begin = after_lead_in(body, start, end)
    start = begin if begin < end else start
    return start, min(end, start + most)


_UNSURE = frozenset({"hedge", "hypo", "joke", "once", "rant"})
_PASSING = frozenset({"now", "status"})
_ASKING = frozenset({"request", "question"})
_MYSELF = (["i'll"], ["i'm"], ["we'll"], ["i've"], ["i"])
_TO_ANYONE = frozenset(
    "anyone anybody someone jemand alguien хтось хто quelqu'un qualcuno alguém iemand någon ktoś".split()
)
_HOLDING = frozenset({"standing", "correct", "define"})  # what makes "now" mean "from now on"
WORTH = 0.78  # chance of "not skip" below which nothing is more than vague
ANNOUNCED = 0.6  # the same for what is told to everybody with a word that speaks of lasting things
SURE = 0.92


def _confidence(message: _Message) -> float:
    """How sure. Doubt, questions, complaints and today make any sentence vague; a word that speaks of lasting things
    makes it clear; without one it is middling at best, however sure the model is."""
    cues = message.reading.cues
    worth = 1.0 - message.chances["skip"]
    told_to_all = cues & {"remember", "org"} and cues & PLAIN
    if (
        worth < (ANNOUNCED if told_to_all else WORTH)
        or cues & _UNSURE
        or _TO_ANYONE.intersection(message.reading.tokens)
        or "?" in message.body
        or "？" in message.body
    ):
        return VAGUE
    corrects = message.chances["correction"] >= SURE
    if cues & _PASSING and not cues & _HOLDING and not corrects and not _from_now_on(cues, worth):
        return VAGUE
    if len(message.reading.tokens) > MAX_CLEAR_WORDS and "correct" not in cues:
        return VAGUE  # a tale
    if message.reading.tokens[:1] in _MYSELF and "pref" not in cues:
        return VAGUE  # what I do now, seldom what holds for all
    if not cues & LASTING and not corrects:
        return VAGUE if cues & _ASKING else MIDDLING
    return CLEAR if worth >= (0.8 if cues & PLAIN else 0.9) else MIDDLING


def _from_now_on(cues: frozenset[str], worth: float) -> bool:
    """ "Nadia runs it now": who has it and what is used changes seldom, what is done just now is not meant."""
    return worth >= SURE and bool(cues & {"own", "use"}) and "status" not in cues


def _item(kind: Kind, message: str, span: Span, confidence: float, corrected: str | None) -> Extracted:
    said = message[slice(*span)]
    text = said[:1].upper() + said[1:]
    risk = classify_risk(said, kind).risk
    hint: Literal["low", "high", "sensitive"] = (
        "sensitive" if risk == "sensitive" else "low" if risk == "low" else "high"
    )
    memory_type = _memory_type(kind, said, message)
    return Extracted(
        kind=kind,
        text=text,
        span=span,
        key=topic_key(said, corrected),
        subject=subject_of(said),
        risk_hint=hint,
        confidence=confidence,
        memory_type=memory_type,
        category="procedure" if kind == "skill_procedure" else memory_type,
        layer="operating" if memory_type in ("preference", "rule") else "knowledge",
    )


def _memory_type(kind: Kind, said: str, message: str) -> MemoryType:
    if kind == "correction":
        return "correction"
    if kind == "memory_preference":
        return "preference"
    if kind == "skill_procedure":
        return "rule"
    reasons = classify_risk(said, kind).reasons
    if "where" in reasons:
        return "contact"
    if "binds" in reasons or "decides" in reasons:
        return "rule"
    cues = read(said).cues
    if "define" in cues:
        return "glossary"
    return "decision" if _DECIDED & set(read(message).tokens) else "fact"


_DECIDED = frozenset(
    "decided decision agreed beschlossen entschieden decidido acordado вирішили вирішено chốt 決定".split()
)


@cache
def model() -> Classes:
    """The packaged model, read once."""
    return load_classes("dw_learning.extract", "model.json.gz")
