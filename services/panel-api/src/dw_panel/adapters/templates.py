"""Jinja2 with autoescape, and the words that people read for our codes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from dw_learning import scan

REASONS: Final = {
    "unverified_sender": "Unverified sender",
    "unsealed": "No valid seal",
    "high_impact": "High impact",
    "low_confidence": "Low confidence",
    "degraded": "Model was away",
    "sensitive": "Sensitive",
    "injection_suspect": "Looks like an instruction",
    "review_mode": "Review mode",
    "channel_proposes": "Channel only proposes",
    "skill": "New procedure",
    "repeated_correction": "Corrected again and again",
    "conflict": "Contradicts a memory",
    "not_own_words": "Not plainly own words",
    "cap": "Daily cap reached",
    "edited": "Message was edited",
    "source_deleted": "Source was deleted",
    "forget": "Asked to forget",
    "feedback": "Feedback",
    "suggestion": "Suggested by a channel manager",
    "promotion": "For the whole org",
    "policy_rule": "A rule of the org asks",
    "others_taste": "Somebody else's preference",
    "replayed": "Decided again",
    "import": "Memory files to import",
    "source_identity_revoked": "Its source's account was revoked",
}
KINDS: Final = {
    "memory_proposal": "Memory",
    "skill_proposal": "Skill",
    "skill_update": "Skill update",
    "review": "Review",
    "soul_update": "Soul",
}


class Templates:
    """Renders pages. A name that a template asks for and nobody gave is an error, never an empty place."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("dw_panel"),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            finalize=_harmless,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["when"] = _when
        self._environment.filters["day"] = lambda at: f"{at:%d %b %Y}"
        self._environment.filters["reason"] = lambda code: REASONS.get(code, code)
        self._environment.filters["kind"] = lambda code: KINDS.get(code, code)

    def page(self, name: str, status_code: int = 200, **values: Any) -> HTMLResponse:
        """A whole page."""
        return HTMLResponse(self._environment.get_template(name).render(**values), status_code=status_code)


def _harmless(value: Any) -> Any:
    """Whatever a page shows hides nothing and turns nothing around: names of agents and channels are texts of people
    too. What is markup already has passed here."""
    return scan.inert(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _when(at: datetime) -> str:
    return f"{at:%d %b %Y, %H:%M} UTC"
