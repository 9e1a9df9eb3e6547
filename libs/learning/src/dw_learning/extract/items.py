"""What the extractor found, as the items of a detection."""

from __future__ import annotations

from collections.abc import Sequence

from dw_contracts.events.chat import EventKind
from dw_contracts.events.detections import MAX_ITEMS, DetectionItem, ItemKind
from dw_learning.extract.item import Extracted


def detection_items(found: Sequence[Extracted], event_kind: str) -> tuple[DetectionItem, ...]:
    """At most MAX_ITEMS, in the order of the text."""
    return tuple(
        DetectionItem(
            kind=_kind(ItemKind(item.kind), event_kind),
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


def _kind(found: ItemKind, event_kind: str) -> ItemKind:
    """What a person gives as the right half of a correction is a correction, whatever its words look like."""
    given = found is ItemKind.MEMORY_FACT and event_kind == EventKind.CORRECTION.value
    return ItemKind.CORRECTION if given else found
