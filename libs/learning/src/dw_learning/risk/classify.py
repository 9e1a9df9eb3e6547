"""Risk classes by what a sentence would do to people: where they go, who decides, what binds them, who may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

RISK_VERSION = "risk-1"
Risk = Literal["low", "medium", "high", "sensitive"]

_WHERE = re.compile(
    r"https?://|www\.|\b[a-z0-9-]+\.(?:com|org|net|io|example|test|de|ua|vn|es|jp)\b|[\w.+-]+@[\w-]+\.?|\+?\d[\d ()/-]{7,}\d|\bIBAN\b|\baccount\b[^.]{0,20}\d{4}",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\b(?:must|mandatory|required|only (?:via|through|by|after|with)|may not|not allowed|never|always needs?|have to|"
    r"no longer (?:carries|allowed)|approv\w*|sign[- ]?off|decid(?:es|ed by)|escalat\w*|on leave|parental|absence|covers? (?:all|for)|"
    r"muss|müssen|darf|dürfen|nur (?:mit|nach|über)|pflicht|genehmig\w*|freigabe|freigeben|debe|obligatorio|solo con|aprueba|autoriza)\b"
    r"|має|повинн|тільки|лише|погоджує|затверджує|заборонен|phải|bắt buộc|chỉ được|duyệt|phê duyệt|必ず|必要|禁止|承認|のみ",
    re.IGNORECASE,
)
_ACCESS = re.compile(
    r"\b(?:without (?:an? )?approval|just give|grant\w*|admin rights|don't bother with|skip the (?:check|approval)|may (?:reset|approve|access|sign)|"
    r"can (?:approve|reset|access|sign)|give (?:him|her|them|everyone)|full access|ohne freigabe|ohne genehmigung|darf .{0,30}freigeben|sin aprobación)\b"
    r"|без погодження|không cần duyệt|承認なし",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:between us|don't tell|let go|fired|laid off|salary|passport|date of birth|dob|diagnos\w*|sick with|pregnan\w*|disciplin\w*|lawsuit|"
    r"incident|breach|entre nosotros|despiden|unter uns|gekündigt|gehalt|krank)\b|між нами|звільня|зарплат|паспорт|giữa chúng ta|lương|給料|解雇|妊娠",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RiskVerdict:
    """`access_changing` makes an item sensitive whatever else is true (C85)."""

    risk: Risk
    reasons: tuple[str, ...]
    access_changing: bool
    procedural: bool


def classify_risk(text: str, kind: str, context: str | None = None) -> RiskVerdict:
    """The class of a memory text. `context` is the message it came from; the text alone decides."""
    reasons: list[str] = []
    access = _ACCESS.search(text) is not None
    if access:
        reasons.append("access")
    if kind == "sensitive" or _PERSONAL.search(text):
        reasons.append("personal")
    if _WHERE.search(text):
        reasons.append("where")
    if _BINDS.search(text):
        reasons.append("binds")
    procedural = kind == "skill_procedure"
    risk: Risk = "low"
    if access or "personal" in reasons:
        risk = "sensitive"
    elif procedural or reasons:
        risk = "high"
    return RiskVerdict(risk, tuple(reasons), access, procedural)
