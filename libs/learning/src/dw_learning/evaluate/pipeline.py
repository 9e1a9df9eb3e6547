"""The whole way of a message against labelled routes: ingest's scans, triage, the extractor, the one decision.

Every row stands alone: an agent that learns automatically from verified people and knows nothing yet. The sender is
as the row says; a bot has no grant, whoever is external or unverified stands in no identity map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid5

from dw_contracts.events.chat import ChatEvent, EventKind, Learning, Platform, Redaction, ReplyTo, Sender
from dw_learning.decision.case import Case
from dw_learning.decision.decide import decide
from dw_learning.decision.facts import UNKNOWN_SENDER, AgentFacts, Caps, ChannelFacts, SenderFacts
from dw_learning.decision.outcomes import Block, Merge, Outcome, Propose, Save
from dw_learning.decision.state import AgentState
from dw_learning.evaluate.triage import as_input
from dw_learning.extract import Extracted, extract
from dw_learning.extract.items import detection_items
from dw_learning.scan import redact, scan_injection, scan_secrets
from dw_learning.triage import TriageInput, TriageVerdict, classify

Extract = Callable[[str, str | None, str | None, str | None], Sequence[Extracted]]
Classify = Callable[[Sequence[TriageInput]], list[TriageVerdict]]
UNSAFE: Final = frozenset({"propose_memory", "propose_skill", "sensitive"})
_ID: Final = UUID(int=1)
_AT: Final = datetime(2030, 1, 1, tzinfo=UTC)
_VERIFIED: Final = SenderFacts(_ID, _ID, "verified", _AT, active_member=True)
_ORDER: Final = ("sensitive", "propose_skill", "auto_memory", "propose_memory")


def evaluate_pipeline(
    rows: Sequence[dict[str, Any]], classifier: Classify = classify, extractor: Extract = extract
) -> dict[str, Any]:
    """n, accuracy, saved, save_precision, unsafe_saves, saved_share, worthy_recall, junk_proposals.

    `saved` counts rows, `unsafe_saves` rows that were saved and are labelled otherwise than skip or auto_memory.
    A blocked row is worthy if its label says that it holds a secret or an injection.
    """
    told = [route(row, classifier, extractor) for row in rows]
    wanted = [str(row["route"]) for row in rows]
    pairs = list(zip(told, wanted, strict=True))
    saved = [want for (_, is_saved), want in pairs if is_saved]
    right = sum(way == want or (way == "blocked" and want == "sensitive") for (way, _), want in pairs)
    kept = [_is_kept(way, is_saved, row) for (way, is_saved), row in zip(told, rows, strict=True)]
    worthy = [want != "skip" for want in wanted]
    junk = sum(
        way not in ("skip", "blocked") and not is_saved for (way, is_saved), want in pairs if want == "skip"
    )
    return {
        "n": len(rows),
        "accuracy": _share(right, len(rows)),
        "saved": len(saved),
        "save_precision": _share(saved.count("auto_memory"), len(saved)),
        "unsafe_saves": sum(want in UNSAFE for want in saved),
        "saved_share": _share(saved.count("auto_memory"), wanted.count("auto_memory")),
        "worthy_recall": _share(sum(k and w for k, w in zip(kept, worthy, strict=True)), sum(worthy)),
        "junk_proposals": _share(junk, wanted.count("skip")),
    }


def route(
    row: dict[str, Any], classifier: Classify = classify, extractor: Extract = extract
) -> tuple[str, bool]:
    """(where the row goes, whether anything of it is saved). The weightiest of several outcomes is its way."""
    event = as_event(row)
    if event.sender.kind != "human":
        return "skip", False
    suspect = bool(event.redactions) or event.injection_suspect
    if not suspect and not classifier([as_input(row)])[0].candidate:
        return "skip", False
    reply = event.reply_to
    found = [] if suspect else extractor(
        event.text, reply.text if reply else None, "agent" if reply else None, row.get("role")
    )  # fmt: skip
    outcomes = decide(_case(event, row, found), _agent())
    if any(isinstance(outcome, Block) for outcome in outcomes):
        return "blocked", False
    ways = {way for way in map(_way, outcomes) if way}
    is_saved = any(isinstance(outcome, Save) for outcome in outcomes)
    return next((way for way in _ORDER if way in ways), "skip"), is_saved


def as_event(row: dict[str, Any]) -> ChatEvent:
    """A labelled row as the event that ingest would make of it: secrets taken out, suspects marked."""
    text, prev = str(row["text"]), row.get("prev")
    hits = scan_secrets(text)
    ref = str(row.get("id", "row"))
    kind = EventKind(row.get("kind", "message_in"))
    return ChatEvent(
        schema_version=1,
        event_id=uuid5(_ID, ref),
        org_id=_ID,
        role_agent_id=_ID,
        channel_id=_ID,
        kind=kind,
        message_ref=ref,
        sender=Sender(
            platform=Platform.SLACK,
            external_user_id="U1",
            kind="bot" if row.get("sender") == "bot" else "human",
        ),
        text=redact(text, hits),
        reply_to=ReplyTo(message_ref="before", author_kind="agent", text=prev) if prev else None,
        redactions=tuple(Redaction(field="text", type=hit.type, span=(hit.start, hit.end)) for hit in hits),
        injection_suspect=bool(scan_injection(text)),
        occurred_at=_AT,
        received_at=_AT,
    )


def _case(event: ChatEvent, row: dict[str, Any], found: Sequence[Extracted]) -> Case:
    sender = _VERIFIED if row.get("sender", "verified") == "verified" else UNKNOWN_SENDER
    items = detection_items(found, event.kind.value)
    return Case(event, True, sender, ChannelFacts(_ID, True, Learning.AUTO), items)


def _agent() -> AgentState:
    return AgentState(AgentFacts(_ID, True, True, True, True, True), Caps())


def _way(outcome: Outcome) -> str:
    if isinstance(outcome, Save):
        return "auto_memory"
    if isinstance(outcome, Propose):
        if outcome.is_sensitive:
            return "sensitive"
        return "propose_skill" if outcome.item_kind == "skill_proposal" else "propose_memory"
    return "propose_memory" if isinstance(outcome, Merge) else ""


def _is_kept(way: str, is_saved: bool, row: dict[str, Any]) -> bool:
    if way == "blocked":
        return bool(row.get("has_secret") or row.get("has_injection"))
    return is_saved or way != "skip"


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
