"""The prompt blocks of a pack. What was learned stands as quoted data below a line of policy, never as instruction.

A memory is one line between quotation marks that its text cannot produce: line breaks become spaces, and the signs
that could close the quote or the block are replaced one for one, so that no budget is exceeded by rendering.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dw_contracts.http.context import PackSkill, PackSoul
from dw_learning.pack_prompt import CURRENT
from dw_learning.scan import inert

MEMORY_POLICY, OPEN, CLOSE, NOTHING = CURRENT.memory_policy, CURRENT.open, CURRENT.close, CURRENT.nothing
_SCOPE = {"org": "organization", "role_agent": "role-agent"}
_CLOSERS = str.maketrans({"<": "‹", ">": "›", "«": "‹", "»": "›"})
_CLOSER = re.compile("[<>«»]")


def render_blocks(
    soul: PackSoul | None, memories: Sequence[tuple[str, str]], skills: Sequence[PackSkill]
) -> dict[str, str]:
    """Blocks by name. The memory block is always there (R163); soul and skills only if the pack has them."""
    return render_lines(soul, [memory_line(scope, text) for scope, text in memories], skills)


def render_lines(soul: PackSoul | None, lines: Sequence[str], skills: Sequence[PackSkill]) -> dict[str, str]:
    """The same from lines that are quoted already."""
    blocks = {"memory": "\n".join([MEMORY_POLICY, OPEN, *(lines or [NOTHING]), CLOSE])}
    if soul is not None:
        blocks["soul"] = "\n\n".join(
            inert(part) for part in (CURRENT.soul_policy, soul.tone_rules, _do_not(soul.do_not_do)) if part
        )
    if skills:
        blocks["skills"] = "\n\n".join(
            inert(f"{CURRENT.skill_heading} {skill.name}\n\n{skill.body}") for skill in skills
        )
    return blocks


def history_block(messages: Sequence[tuple[str, str]]) -> str:
    """(who, text) pairs in order of time, one quoted line each: what people said is quoted like what was learned."""
    lines = [f"- {quote(who)}: {quote(text)}" for who, text in messages]
    return "\n".join(
        [
            CURRENT.history_policy,
            CURRENT.history_open,
            *(lines or [CURRENT.no_history]),
            CURRENT.history_close,
        ]
    )


def memory_block(memories: Sequence[tuple[str, str]]) -> str:
    """(scope, text) pairs in the order of the pack, one quoted line each."""
    return render_blocks(None, memories, ())["memory"]


def memory_line(scope: str, text: str) -> str:
    """One memory as a quoted line."""
    return f"- {_SCOPE[scope]}: {quote(text)}"


def quote(text: str) -> str:
    """One line that stays inside its quotation marks, whatever stands in it."""
    harmless = inert(text)
    if _CLOSER.search(harmless):
        harmless = harmless.translate(_CLOSERS)
    return f"«{' '.join(harmless.split())}»"


def _do_not(text: str) -> str:
    return f"{CURRENT.do_not_do}\n{text}" if text else ""
