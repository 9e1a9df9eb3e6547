"""What a model is called for (G2, G13, G20; R60 to R64), and the scopes whose limits a call has to pass (G4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature key. Seconds are those of one try; output tokens are sent to the provider as its limit."""

    key: str
    timeout_seconds: float
    max_input_tokens: int
    max_output_tokens: int
    cacheable: bool

    def seconds(self, of_a_detection: float) -> float:
        """Of one try (G13), where an operator gives a detection so long: in proportion to the defaults."""
        return self.timeout_seconds * of_a_detection / LEARNING_DETECT.timeout_seconds


LEARNING_DETECT: Final = Feature("digital_worker:learning_detect", 15.0, 48_000, 2_000, cacheable=True)
SKILL_DRAFT: Final = Feature("digital_worker:skill_draft", 60.0, 96_000, 6_000, cacheable=False)
FEATURES: Final = (LEARNING_DETECT, SKILL_DRAFT)
_ALL: Final = {feature.key: feature for feature in FEATURES}
ORG: Final = "org"


class UnknownFeature(Exception):
    """No call is made under a key that is not declared here (403 at a door)."""


def feature_of(key: str) -> Feature:
    """The declared feature, or UnknownFeature: memory_compact and process_improvement_detect are none (R64)."""
    if key not in _ALL:
        raise UnknownFeature(key)
    return _ALL[key]


def actor_of(role_agent_id: UUID) -> str:
    """The synthetic actor of learning (R63)."""
    return f"dw_worker:{role_agent_id}"


def scopes_of(feature: Feature, role_agent_id: UUID, model: str) -> list[str]:
    """All whose limits count, sorted as their counters are locked. The tightest wins."""
    return sorted((ORG, f"feature:{feature.key}", f"agent:{role_agent_id}", f"model:{model}"))
