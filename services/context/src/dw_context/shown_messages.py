"""A message of the history as it is shown: what hides in it is inert."""

from __future__ import annotations

from dw_contracts.http.context import HistoryMessage
from dw_learning.scan import inert
from dw_store.history_search import FoundMessage


def shown(message: FoundMessage) -> HistoryMessage:
    """The contract's message."""
    return HistoryMessage(
        event_id=message.event_id,
        text=inert(message.text),
        sender=inert(message.sender),
        sender_kind=message.sender_kind,
        verified=message.verified,
        occurred_at=message.occurred_at,
    )
