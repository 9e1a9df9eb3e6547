"""What the texts of one message come to by themselves, whoever said it and whatever is known: found once, and beforehand
where there is time. A decision asks for the same things, and finds what was not prepared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dw_contracts.events.chat import ChatEvent, EventKind, Learning
from dw_contracts.events.detections import MAX_MEMORY_CHARS, DetectionItem
from dw_learning import scan
from dw_learning.own_words import said
from dw_learning.risk import RiskVerdict, classify_risk

Hits = tuple[scan.Hit, ...]
_TEACHES_NOTHING = frozenset({EventKind.MESSAGE_OUT, EventKind.DELETE})


class Findings:
    """Of one message; forgotten with it, for its texts may hold secrets (C53)."""

    __slots__ = ("_injections", "_risks", "_said", "_secrets", "prepared")

    def __init__(self) -> None:
        self.prepared = False
        self._secrets: dict[str, Hits] = {}
        self._injections: dict[str, Hits] = {}
        self._risks: dict[tuple[str, str, str, str], RiskVerdict] = {}
        self._said: dict[tuple[str, str, str], bool] = {}

    def secrets(self, text: str) -> Hits:
        """`scan_secrets` of it."""
        if (known := self._secrets.get(text)) is None:
            known = self._secrets[text] = scan.scan_secrets(text)
        return known

    def injections(self, text: str) -> Hits:
        """`scan_injection` of it."""
        if (known := self._injections.get(text)) is None:
            known = self._injections[text] = scan.scan_injection(text)
        return known

    def risk(self, text: str, kind: str, context: str, answered: str) -> RiskVerdict:
        """`classify_risk` of it."""
        key = (text, kind, context, answered)
        if (known := self._risks.get(key)) is None:
            known = self._risks[key] = classify_risk(text, kind, context, answered)
        return known

    def said(self, content: str, own_text: str, subject: str) -> bool:
        """`own_words.said` of it."""
        key = (content, own_text, subject)
        if (known := self._said.get(key)) is None:
            known = self._said[key] = said(content, own_text, subject)
        return known


def texts_of(event: ChatEvent, items: Iterable[DetectionItem]) -> list[str]:
    """What is scanned, each text once: an item mostly says what the message says."""
    texts = [event.text, *(item.text for item in items)]
    if event.correction:
        texts += [event.correction.wrong, event.correction.right]
    if event.tool:
        texts += [event.tool.input, event.tool.output]
    return [text for text in dict.fromkeys(texts) if text]


def own_text_of(event: ChatEvent) -> str:
    """Where own words may stand: the right half of a correction, else the text."""
    return event.correction.right if event.correction else event.text


def subject_of(event: ChatEvent) -> str:
    """What may supply the subject of own words: the agent's message that is answered."""
    reply = event.reply_to
    return reply.text if reply is not None and reply.author_kind == "agent" else ""


def answered_by(event: ChatEvent) -> str:
    """What a message corrects or replies to: an item may say no more than what has changed of it."""
    if event.correction:
        return event.correction.wrong
    return event.reply_to.text if event.reply_to is not None else ""


def prepare(event: ChatEvent, items: Sequence[DetectionItem], findings: Findings) -> None:
    """Find what the decision will most likely ask for, in its order, and no more than it asks. A second time costs
    nothing."""
    if findings.prepared:
        return
    findings.prepared = True
    if (
        event.kind in _TEACHES_NOTHING
        or event.imported
        or event.claim is not None
        or event.redactions
        or event.learning is Learning.OFF
    ):
        return
    texts = texts_of(event, items)
    if any(map(findings.secrets, texts)) or any(map(findings.injections, texts)):
        return
    for item in items:
        if len(item.text) <= MAX_MEMORY_CHARS:
            findings.risk(item.text, item.kind.value, event.text, answered_by(event))
            if event.kind is not EventKind.EDIT and event.sender.kind == "human":
                findings.said(item.text.strip(), own_text_of(event), subject_of(event))
