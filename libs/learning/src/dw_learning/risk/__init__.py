"""Risk, computed from the text and not believed (C58, C85)."""

from dw_learning.risk.classify import RISK_VERSION, RiskVerdict, classify_risk, prepare

__all__ = ["RISK_VERSION", "RiskVerdict", "classify_risk", "prepare"]
