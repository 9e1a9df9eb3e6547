"""Files that an admin imports, as cases of the one decision (C82, R190): nothing is saved by itself, each file becomes a
proposal or is refused, and the proposals of one import are one item for a person. Pure; ids and times are passed in."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from dw_contracts.events.chat import ChatEvent, Learning
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.http.memory_files import ImportedEntry, ImportEntry
from dw_contracts.ids import NAMESPACE
from dw_learning.agent_put import EXPLAINED
from dw_learning.decision.case import Case
from dw_learning.decision.decide import POLICY_VERSION
from dw_learning.decision.facts import RISK_ORDER, UNKNOWN_SENDER, Caps, ChannelFacts, MemoryFacts, Risk
from dw_learning.decision.outcomes import Block, Merge, Nothing, Outcome, Propose
from dw_learning.decision.plan import Decided
from dw_learning.decision.state import AgentState
from dw_learning.normal import content_hash

PROVIDER: Final = "import"
CONFIDENCE: Final = 0.9
NO_CAPS: Final = Caps(None, None, None, None)
"""One item comes of it, whatever it holds (C97)."""
KNOWN: Final = "The agent knows this already."
WAITS: Final = "It waits for a person already."
OF_A_PERSON: Final = "It is about one person: only that person's own words change it."
BLOCKED: Final = "It holds what looks like a secret or an instruction to the machine; nothing is kept."
WHY: Final = {
    "hidden": "People rejected this of late.",
    "rule_rejects": "A rule of this org refuses such things.",
    "learning_off": "Learning is off for the role-agent.",
}


@dataclass(frozen=True, slots=True)
class Batch:
    """One item of the inbox. `payload` holds the entries as they would be stored, and all of them as one text to read."""

    payload: dict[str, Any]
    risk: Risk
    is_sensitive: bool
    dedupe_key: str


@dataclass(frozen=True, slots=True)
class Held:
    """What the role-agent knew before the import, about nobody in particular. A text that looks like an attack is judged
    by the decision before it looks for what is known (C25), so that is looked up here."""

    by_key: Mapping[str, MemoryFacts]
    texts: frozenset[bytes]


def held(state: AgentState) -> Held:
    """Take it before anything is decided: deciding changes the state."""
    return Held(
        {key: memory for (key, subject), memory in state.memories_by_key.items() if subject is None},
        frozenset(hashed for hashed, subject in state.memories_by_hash if subject is None),
    )


def import_cases(
    import_id: UUID, org_id: UUID, agent_id: UUID, entries: Sequence[ImportEntry], now: datetime
) -> list[tuple[Detection, Case]]:
    """A case for each file: unsealed, of nobody, so that whatever it says a person decides."""
    return [_case(import_id, at, org_id, agent_id, entry, now) for at, entry in enumerate(entries)]


def _case(
    import_id: UUID, at: int, org_id: UUID, agent_id: UUID, entry: ImportEntry, now: datetime
) -> tuple[Detection, Case]:
    decision_id = uuid.uuid5(NAMESPACE, f"import:{import_id}:{at}")
    item = DetectionItem(
        kind=ItemKind.MEMORY_FACT,
        text=entry.content,
        span=(0, 0),
        key=entry.key,
        risk_hint="low",
        confidence=CONFIDENCE,
        memory_type=entry.memory_type,
        category=entry.category,
        layer=entry.layer,
    )
    event = ChatEvent.model_validate(
        {
            "schema_version": 1,
            "event_id": decision_id,
            "org_id": org_id,
            "role_agent_id": agent_id,
            "channel_id": import_id,
            "kind": "message_in",
            "message_ref": f"import:{at}",
            "sender": {"platform": "panel", "external_user_id": "import"},
            "gateway_proves_sender": False,
            "text": entry.content,
            "occurred_at": now,
            "received_at": now,
        }
    )
    detection = Detection(
        schema_version=1,
        decision_id=decision_id,
        org_id=org_id,
        role_agent_id=agent_id,
        items=(item,),
        provider=PROVIDER,
        model=POLICY_VERSION,
        triage_version="none",
    )
    channel = ChannelFacts(import_id, listens=True, learning=Learning.AUTO)
    # put_by keeps the key as it is written, and has key and metadata scanned too.
    return detection, Case(
        event, False, UNKNOWN_SENDER, channel, (item,), put_by=import_id, metadata=dict(entry.metadata)
    )


def told(entry: ImportEntry, decided: Decided, before: Held) -> ImportedEntry:
    """What became of a file, for who imports it."""
    outcome = decided.effects[0].outcome
    known = _is_known_suspect(entry, outcome, before)
    status, reason, words = ("known", "duplicate", KNOWN) if known else _told(outcome)
    return ImportedEntry(file=entry.file, status=status, reason=reason, explanation=words)


def _is_known_suspect(entry: ImportEntry, outcome: Outcome, before: Held) -> bool:
    suspect = isinstance(outcome, Propose) and outcome.reason == "injection_suspect"
    return suspect and content_hash(entry.content) in before.texts


def _told(outcome: Outcome) -> tuple[Literal["proposed", "known", "rejected"], str, str]:
    match outcome:
        case Propose():
            reason = outcome.reason if outcome.reason not in ("unsealed", "review_mode") else "import"
            return "proposed", reason, outcome.explanation if reason != "import" else ""
        case Merge():
            return "known", "merged", WAITS
        case Nothing(reason="duplicate"):
            return "known", "duplicate", KNOWN
        case Nothing():
            return "rejected", outcome.reason, WHY.get(outcome.reason) or EXPLAINED.get(outcome.reason, "")
        case Block():
            return "rejected", outcome.event_type, BLOCKED
        case _:
            return "rejected", outcome.kind, ""


def batch_of(entries: Sequence[ImportEntry], decided: Sequence[Decided], before: Held) -> Batch | None:
    """All that was proposed, as one item: as risky as its riskiest file. None where nothing is new."""
    rows = [
        (entry, outcome)
        for entry, one in zip(entries, decided, strict=True)
        if isinstance(outcome := one.effects[0].outcome, Propose)
        and not _is_known_suspect(entry, outcome, before)
    ]
    if not rows:
        return None
    kept = [_row(entry, outcome, before) for entry, outcome in rows]
    risk = max((outcome.memory.risk for _, outcome in rows), key=RISK_ORDER.__getitem__)
    sensitive = any(outcome.is_sensitive for _, outcome in rows)
    mark = hashlib.sha256(repr([sorted(row.items(), key=str) for row in kept]).encode()).hexdigest()[:32]
    listed = "\n".join(_line(row) for row in kept)
    payload: dict[str, Any] = {
        "content": f"Import of {len(kept)} memory file{'' if len(kept) == 1 else 's'} (+ new, ~ in another's place)\n{listed}",
        "key": f"import-{mark[:12]}",
        "layer": "knowledge",
        "memory_type": "fact",
        "category": "import",
        "subject_identity": None,
        "marks": [],
        "entries": kept,
    }
    return Batch(payload, "sensitive" if sensitive else risk, sensitive, f"import:{mark}")


def _line(row: Mapping[str, Any]) -> str:
    """As a reviewer reads it. A text of several lines stands indented, so that none looks like an entry of its own."""
    mark, text = "~" if row["target"] else "+", row["content"].replace("\n", "\n    ")
    return f"{mark} {row['key']} ({row['layer']}, {row['memory_type']}): {text}"


def _row(entry: ImportEntry, outcome: Propose, before: Held) -> dict[str, Any]:
    """The file as it would be stored. Of what only looks like an attack the decision keeps no key: the file's stands."""
    target, base = outcome.target_memory, outcome.base_version
    if outcome.reason == "injection_suspect" and (holder := before.by_key.get(entry.key)) is not None:
        target, base = holder.memory_id, holder.row_version
    content = entry.content.strip()
    return {
        "file": entry.file,
        "key": entry.key,
        "content": content,
        "content_hash": content_hash(content).hex(),
        "layer": entry.layer,
        "memory_type": entry.memory_type,
        "category": entry.category,
        "risk": "sensitive" if outcome.is_sensitive else outcome.memory.risk,
        "is_sensitive": outcome.is_sensitive,
        "metadata": dict(entry.metadata),
        "target": str(target) if target else None,
        "base_version": base,
    }
