"""A skill body from repeated corrections, by template, until a model drafts it (C66)."""

from __future__ import annotations

import re

from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_contracts.events.drafts import DraftRequest

TEMPLATE_VERSION = "draft-template-2"


def draft_detection(request: DraftRequest) -> Detection:
    """The answer under the request's own id. It only ever proposes."""
    body = _body(request)
    item = DetectionItem(
        kind=ItemKind.SKILL_PROCEDURE,
        text=body,
        span=(0, len(body)),
        key=request.topic,
        subject=None,
        risk_hint="high",
        confidence=0.5,
        memory_type="rule",
        category="rule",
    )
    return Detection(
        schema_version=1,
        decision_id=request.request_id,
        org_id=request.org_id,
        role_agent_id=request.role_agent_id,
        items=(item,),
        suggested_class="propose_skill",
        reasons=("repeated_correction",),
        provider="none",
        model=TEMPLATE_VERSION,
        triage_version="",
    )


def _body(request: DraftRequest) -> str:
    title = re.sub(r"[-_]+", " ", request.topic).strip().capitalize() or "Repeated correction"
    steps = "\n".join(
        f"{number}. {' '.join(text.split())}" for number, text in enumerate(request.corrections, start=1)
    )
    return (
        f"# {title}\n\n"
        f"## When To Use\nUse when the answer touches {title.lower()}.\n\n"
        f"## Procedure\n{steps}\n\n"
        "## Do Not Do\n- Do not give the old answer again.\n\n"
        "## Verification\nThe answer agrees with the corrections above.\n"
    )
