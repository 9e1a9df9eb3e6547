"""The skill that would become active if a proposal were approved, checked. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from dw_contracts.http.problem import FieldError
from dw_learning.skill_draft import MAX_DESCRIPTION, SkillDraft, SkillRisk, draft_skill
from dw_learning.skills.format import read_skill
from dw_panel.refusals import unfit

MAX_BODY_CHARS: Final = 20_000
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FRONT_NAME: Final = re.compile(r"^name: .*$", re.MULTILINE)
_ORDER: Final[tuple[SkillRisk, ...]] = ("low", "medium", "high", "sensitive")


def proposed_skill(
    payload: Mapping[str, Any], agent_code: str, risk: SkillRisk, taken: frozenset[str], fixed: str | None
) -> SkillDraft:
    """From a whole body, or from what somebody explained. `fixed` is the name that an update keeps; a new skill never
    takes the name of another one. Refuses with 422 what is no skill."""
    if "body_md" in payload:
        skill = _whole(payload, risk)
    else:
        skill = draft_skill(payload["content"], payload.get("key", ""), agent_code, risk)
    name = fixed or _free(skill.name, taken)
    if name == skill.name:
        return skill
    body = _FRONT_NAME.sub(f"name: {name}", skill.body_md, count=1)
    return SkillDraft(name, skill.description, skill.risk, body)


def _whole(payload: Mapping[str, Any], risk: SkillRisk) -> SkillDraft:
    name, description = str(payload.get("name", "")), str(payload.get("description", ""))
    body, own_risk = str(payload["body_md"]), payload.get("risk", risk)
    if not _NAME.fullmatch(name) or len(name) > 64:
        raise unfit("the skill's name is no kebab-case name")
    if not 0 < len(description) <= MAX_DESCRIPTION or len(body) > MAX_BODY_CHARS:
        raise unfit("the skill's description or body is empty or too long")
    _keeps_the_format(body)
    if own_risk not in _ORDER:
        raise unfit("the skill's risk is none of low, medium, high, sensitive")
    return SkillDraft(name, description, max(risk, own_risk, key=_ORDER.index), body)


def _keeps_the_format(body: str) -> None:
    """R196, R197: every fault, each with its line."""
    if isinstance(faults := read_skill(body), tuple):
        places = tuple(FieldError(at=f"body_md:{fault.line}", problem=fault.problem) for fault in faults[:50])
        raise unfit(f"the skill does not keep the format: {faults[0]}", places)


def _free(name: str, taken: frozenset[str]) -> str:
    if name not in taken:
        return name
    return next(found for n in range(2, len(taken) + 3) if (found := f"{name[:60]}-{n}") not in taken)
