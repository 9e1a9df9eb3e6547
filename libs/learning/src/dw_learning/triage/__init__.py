"""Triage: local, deterministic, free of cost. Which messages may teach something."""

from dw_learning.triage.classify import TRIAGE_VERSION, TriageInput, TriageVerdict, classify

__all__ = ["TRIAGE_VERSION", "TriageInput", "TriageVerdict", "classify"]
