"""Every topic of the product, declared once: devstack, compose and Helm create what stands here (C44, C78)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dw_contracts.dead_letters import dead_letter_topic
from dw_contracts.events.candidates import Candidate
from dw_contracts.events.changes import LearningChange
from dw_contracts.events.chat import ChatEvent
from dw_contracts.events.comments import AgentComment
from dw_contracts.events.detections import Detection
from dw_contracts.events.drafts import DraftRequest
from dw_contracts.events.outcomes import SkipOutcomes
from dw_contracts.events.wakeups import Wakeup
from dw_contracts.model import Message

DAY_MS: Final = 86_400_000
MAX_RECORD_BYTES: Final = 1_048_576
MAX_DEAD_LETTER_BYTES: Final = 2 * MAX_RECORD_BYTES  # the original and why it died


@dataclass(frozen=True, slots=True)
class Topic:
    """`writers` is one service, but for the exceptions that C44 names. `readers` use a group of their own name,
    unless they stand in `groupless` (C71: every context replica reads all of learning.changes.v1)."""

    name: str
    model: type[Message]
    key: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    groupless: tuple[str, ...] = ()
    partitions: int = 12
    retention_ms: int = 7 * DAY_MS
    max_bytes: int = MAX_RECORD_BYTES

    @property
    def dead_letters(self) -> str:
        """The topic's dead letter topic: 3 partitions, 30 days, written by each of its readers."""
        return dead_letter_topic(self.name)


DEAD_LETTER_PARTITIONS: Final = 3
DEAD_LETTER_RETENTION_MS: Final = 30 * DAY_MS

_AGENT = "org_id:role_agent_id"
CHAT_EVENTS: Final = Topic("chat.events.v1", ChatEvent, _AGENT, ("ingest",), ("triage", "context"))
CANDIDATES: Final = Topic("learning.candidates.v1", Candidate, _AGENT, ("triage",), ("detector",))
OUTCOMES: Final = Topic("learning.outcomes.v1", SkipOutcomes, "partition of chat.events.v1", ("triage",), ())
DETECTIONS: Final = Topic("learning.detections.v1", Detection, _AGENT, ("detector",), ("policy",))
CHANGES: Final = Topic("learning.changes.v1", LearningChange, _AGENT, ("policy",), (), groupless=("context",))
DRAFT_REQUESTS: Final = Topic("learning.draft_requests.v1", DraftRequest, _AGENT, ("policy",), ("detector",))
COMMENTS: Final = Topic(
    "agent.comments.v1", AgentComment, "channel_id", ("ingest", "channels"), ("channels",)
)
WAKEUPS: Final = Topic("agent.wakeups.v1", Wakeup, _AGENT, ("channels",), ("channels",))

TOPICS: Final[tuple[Topic, ...]] = (
    CHAT_EVENTS,
    CANDIDATES,
    OUTCOMES,
    DETECTIONS,
    CHANGES,
    DRAFT_REQUESTS,
    COMMENTS,
    WAKEUPS,
)
BY_NAME: Final = {topic.name: topic for topic in TOPICS}
SERVICES: Final = ("ingest", "triage", "detector", "policy", "context", "panel", "channels")
OPERATOR: Final = "operator"  # the Kafka user of `dw`: reads all, writes only what `dw dlq replay` puts back
