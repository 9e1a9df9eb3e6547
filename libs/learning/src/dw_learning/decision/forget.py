""" "Forget that", "do not remember this" (C62, D12): what a verified speaker takes back of what he said himself."""

from __future__ import annotations

import re
from typing import Final

from dw_contracts.events.detections import DetectionItem
from dw_learning.decision.case import Case
from dw_learning.decision.facts import AUTOMATIC_ORIGIN, MemoryFacts, PendingFacts
from dw_learning.decision.outcomes import Forget, Stone
from dw_learning.decision.state import AgentState
from dw_learning.normal import content_tokens, overlap

_INLINE: Final = re.compile(r"[:：\n]\s*(?P<rest>\S.*)$", re.DOTALL)
MIN_WORDS: Final = 2
SAYS_WHAT: Final = 4
"""Content words from which a request says what is wrong, and not only what it is about."""
MEANT: Final = 0.6


def forget_own(case: Case, item: DetectionItem, state: AgentState) -> Forget | None:
    """Memories that were saved by themselves from this person's message, items that wait because of it, and what stands
    behind "do not remember this:". None where nothing of it is his own: then a person is asked."""
    if not case.sender_verified or case.event.flags.names():
        return None
    memories = [memory for memory in _named(case, item, state) if _is_own(case, memory)]
    waiting = [
        pending
        for pending in _waiting(case, state)
        if pending.sender_identity is not None and pending.sender_identity == case.sender.identity_id
    ]
    stones = [Stone(memory.content, memory.key) for memory in memories]
    stones += [Stone(pending.content, pending.key) for pending in waiting if pending.content]
    inline = _INLINE.search(case.own_text)
    if inline is not None and len(content_tokens(inline["rest"])) >= MIN_WORDS:
        stones.append(Stone(inline["rest"].strip(), ""))
    if not stones:
        return None
    return Forget(
        memories=tuple(memory.memory_id for memory in memories),
        items=tuple(pending.item_id for pending in waiting),
        stones=tuple(dict.fromkeys(stones)),
        rule="forget.own_words",
    )


def _named(case: Case, item: DetectionItem, state: AgentState) -> list[MemoryFacts]:
    reply = case.event.reply_to
    if reply is not None:
        return list(state.memories_by_source.get((case.event.channel_id, reply.message_ref), []))
    named = state.memories_by_key.get((item.key, None))
    return [named] if named is not None and speaks_of(item.text, named.content) else []


def speaks_of(said: str, known: str) -> bool:
    """Whether "forget that …" means this memory. One that only names the topic ("forget the plotter") does."""
    words, of_memory = set(content_tokens(said)), set(content_tokens(known))
    return words <= of_memory or len(words) < SAYS_WHAT or overlap(said, known) >= MEANT


def _is_own(case: Case, memory: MemoryFacts) -> bool:
    """What a person approved is another person's decision: that is not taken back by a word in a channel."""
    return (
        memory.origin == AUTOMATIC_ORIGIN
        and memory.sender_identity is not None
        and memory.sender_identity == case.sender.identity_id
    )


def _waiting(case: Case, state: AgentState) -> list[PendingFacts]:
    reply = case.event.reply_to
    if reply is None:
        return []
    return state.pending_by_source.get((case.event.channel_id, reply.message_ref), [])
