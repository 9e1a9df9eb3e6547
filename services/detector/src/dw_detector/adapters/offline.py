"""The deterministic local extractor: no key, no network, no cost. The default of the local stack."""

from __future__ import annotations

from dw_contracts.events.detections import MAX_ITEMS, DetectionItem, ItemKind
from dw_detector.detect import Answer, Question
from dw_learning.extract import EXTRACT_VERSION, extract


class OfflineProvider:
    """Rules of `dw_learning.extract`."""

    async def detect(self, question: Question) -> Answer:
        """Never waits; the signature is the remote providers'."""
        found = extract(question.text, question.reply_text, question.reply_author, None)
        items = tuple(
            DetectionItem(
                kind=_kind(ItemKind(item.kind), question),
                text=item.text,
                span=item.span,
                key=item.key,
                subject=item.subject,
                risk_hint=item.risk_hint,
                confidence=item.confidence,
                memory_type=item.memory_type,
                category=item.category,
                layer=item.layer,
            )
            for item in found[:MAX_ITEMS]
        )
        return Answer(items=items, provider="offline", model=EXTRACT_VERSION, prompt_version="")


def _kind(found: ItemKind, question: Question) -> ItemKind:
    """What a person gives as the right half of a correction is a correction, whatever its words look like."""
    return ItemKind.CORRECTION if found is ItemKind.MEMORY_FACT and question.kind == "correction" else found
