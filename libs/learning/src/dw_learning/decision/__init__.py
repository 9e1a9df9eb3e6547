"""What may be learned, and who decides: values, state and the one decision function."""

from dw_learning.decision.decide import POLICY_VERSION, decide
from dw_learning.decision.outcomes import Outcome
from dw_learning.decision.state import AgentState

__all__ = ["POLICY_VERSION", "AgentState", "Outcome", "decide"]
