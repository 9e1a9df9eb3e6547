"""Tier 1 (R49 to R58): a local classifier that sees every event and lets go what teaches nothing."""

from dw_learning.triage.classify import TRIAGE_VERSION, classify
from dw_learning.triage.model import Readable, TriageInput, TriageVerdict
from dw_learning.triage.reasons import Reason

__all__ = ["TRIAGE_VERSION", "Readable", "Reason", "TriageInput", "TriageVerdict", "classify"]
