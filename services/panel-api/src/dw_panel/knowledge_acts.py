"""What a form of the page of memory and skills asks for, as the use case that does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never
from uuid import UUID

from dw_contracts.http.learning import MAX_MEMORY, Acted, ChangeMemory, MemoryFeedback, SupersedeMemory
from dw_contracts.http.problem import FieldError
from dw_contracts.http.skills import RevertSkill
from dw_panel.memory_acts import MemoryActs
from dw_panel.people import Signed
from dw_panel.refusals import unfit
from dw_panel.skill_acts import SkillActs

MemoryAction = Literal["edit", "supersede", "delete", "restore", "promote"]
SkillAction = Literal["pause", "resume", "archive", "enable", "disable", "revert"]


@dataclass(frozen=True, slots=True)
class MemoryForm:
    """Its fields. The text always comes along, and counts for edit and supersede."""

    action: MemoryAction
    row_version: int
    text: str
    never_again: bool


async def act_on_memory(acts: MemoryActs, signed: Signed, memory_id: UUID, form: MemoryForm) -> Acted:
    """As the JSON routes do it. Raises ProblemError."""
    change = ChangeMemory(row_version=form.row_version, never_again=form.never_again)
    match form.action:
        case "edit":
            text = _text(form)
            body = MemoryFeedback(action="edit", text=text, row_version=form.row_version)
            return await acts.feedback(signed, memory_id, body)
        case "supersede":
            new = SupersedeMemory(text=_text(form), row_version=form.row_version)
            return await acts.supersede(signed, memory_id, new)
        case "delete":
            return await acts.delete(signed, memory_id, change)
        case "restore":
            return await acts.restore(signed, memory_id, change)
        case "promote":
            return await acts.promote(signed, memory_id, change)
    assert_never(form.action)


async def act_on_skill(
    acts: SkillActs,
    signed: Signed,
    skill_id: UUID,
    action: SkillAction,
    to: int | None,
    base_version: int | None,
) -> None:
    """The same for skills. `to` is the version of a revert, `base_version` the one in use as the page showed it (D49). Raises ProblemError."""
    match action:
        case "pause" | "resume" | "archive":
            await acts.step(signed, skill_id, action)
        case "enable" | "disable":
            await acts.enable(signed, skill_id, action == "enable")
        case "revert":
            if to is None:
                raise unfit("no version is named", (FieldError(at="to", problem="is missing"),))
            await acts.revert(signed, skill_id, RevertSkill(to=to, base_version=base_version))


def _text(form: MemoryForm) -> str:
    """A form's lines end in its own way."""
    text = form.text.replace("\r\n", "\n").strip()
    if not 0 < len(text) <= MAX_MEMORY:
        wrong = FieldError(at="text", problem=f"has 1 to {MAX_MEMORY} characters")
        raise unfit("the text is empty or too long", (wrong,))
    return text
