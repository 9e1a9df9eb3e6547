"""What is looked at before a skill is proposed: format, base, scans, risk. Each refuses with its problem detail."""

from __future__ import annotations

from typing import Any

from dw_contracts.http.problem import FieldError
from dw_contracts.http.skills import ProposeSkill
from dw_learning import scan
from dw_learning.risk import classify_risk
from dw_learning.skill_draft import SkillRisk
from dw_learning.skills.format import RISKS, Fault, SkillDocument, read_skill
from dw_panel.refusals import conflict, unfit
from dw_runtime import ProblemError


def on_base(known: Any | None, base: int | None) -> None:
    """D49: an update names the version that it was made from; a new skill has none."""
    if known is None and base is not None:
        raise conflict("there is no skill of this name to update: leave base_version out")
    if known is not None and known["status"] == "archived":
        raise conflict("a skill of this name is archived: an admin can bring it back")
    if known is not None and base is None:
        place = FieldError(
            at="base_version", problem=f"is missing: version {known['active_version']} is active"
        )
        raise conflict("a skill of this name is there: send base_version to update it", (place,))
    if known is not None and base != known["active_version"]:
        raise stale(known["active_version"])


def stale(active: int | None) -> ProblemError:
    """409: rebase."""
    place = FieldError(at="base_version", problem=f"is out of date: version {active} is active now")
    return conflict("the skill changed since: look at it again and rebase", (place,))


def checked(wanted: ProposeSkill) -> SkillDocument:
    """The document, or a 422 with each fault's line."""
    found = read_skill(wanted.body_md)
    if isinstance(found, tuple):
        raise faulty(found, "body_md")
    return found


def of_agent(document: SkillDocument, code: str) -> None:
    """A skill names the role-agent whose it is (R9)."""
    if document.agent != code:
        place = FieldError(at="body_md", problem=f"agent must be {code}, whose skill it is")
        raise unfit("the skill names another role-agent", (place,))


def faulty(faults: tuple[Fault, ...], at: str) -> ProblemError:
    """422 with each fault's line."""
    places = tuple(FieldError(at=f"{at}:{fault.line}", problem=fault.problem) for fault in faults[:50])
    return unfit(f"the skill does not keep the format: {faults[0]}", places)


def scanned(*texts: str) -> None:
    """R100: a secret or an attack is refused before anything is stored."""
    if scan.examine(*texts).is_refused:
        raise unfit("the scans refuse this text: it holds a secret or an attack")


def risk_of(document: SkillDocument, *, trusted: bool) -> tuple[SkillRisk, bool]:
    """The higher of what is declared and what the text is. That it is a procedure says nothing by itself: every skill
    is one. What an agent declares counts for nothing."""
    text = "\n".join((document.description, *document.sections))
    verdict = classify_risk(text, "skill_procedure")
    is_sensitive = (
        "sensitive" in (document.risk, verdict.risk)
        or verdict.access_changing
        or scan.examine(text).is_suspect
    )
    if is_sensitive:
        return "sensitive", True
    found: SkillRisk = document.risk if trusted and set(verdict.reasons) <= {"procedure"} else verdict.risk
    return _higher(document.risk, found), False


def _higher(one: SkillRisk, other: SkillRisk) -> SkillRisk:
    return max(one, other, key=RISKS.index)
