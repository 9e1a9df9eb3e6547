"""Skill selection against labelled rows (D48)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from dw_learning.skills.select import OfferedSkill, select_skill

_MESSAGE = ("message", "text")
_OFFERED = ("skills", "offered", "skills_offered")
_RIGHT = ("right", "skill", "right_skill", "expected", "label", "answer")
_NONE = (None, "", "none", "null", "-")


def evaluate_skills(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """n, chosen, precision (of the chosen, the right ones), recall (of those with a right one), none_kept (of those where
    none fits, the share with none chosen), accuracy, precision and recall by lang, us_per_message.

    A row: message, skills (name and description each), right (a name, or null for none), lang if known. A row may say
    what none of the chosen says: precision of nothing chosen is 0.
    """
    started = time.perf_counter()
    said = [
        select_skill(str(_field(row, _MESSAGE)), _offered(_field(row, _OFFERED)), row.get("command")).name
        for row in rows
    ]
    spent = time.perf_counter() - started
    pairs = [
        (None if (wanted := _field(row, _RIGHT)) in _NONE else str(wanted), told)
        for row, told in zip(rows, said, strict=True)
    ]
    langs = sorted({str(row["lang"]) for row in rows if row.get("lang")})
    return {
        "n": len(rows),
        **_figures(pairs),
        "by_lang": {
            lang: _figures([pair for row, pair in zip(rows, pairs, strict=True) if row.get("lang") == lang])
            for lang in langs
        },
        "us_per_message": round(spent / len(rows) * 1e6, 1) if rows else 0.0,
    }


def _figures(pairs: Sequence[tuple[str | None, str | None]]) -> dict[str, Any]:
    chosen = [pair for pair in pairs if pair[1] is not None]
    wanted = [pair for pair in pairs if pair[0] is not None]
    none = [pair for pair in pairs if pair[0] is None]
    right = sum(want == told for want, told in chosen)
    return {
        "chosen": len(chosen),
        "precision": _share(right, len(chosen)),
        "recall": _share(right, len(wanted)),
        "none_kept": _share(sum(told is None for _, told in none), len(none)),
        "accuracy": _share(sum(want == told for want, told in pairs), len(pairs)),
    }


def _field(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _offered(skills: Any) -> list[OfferedSkill]:
    if isinstance(skills, Mapping):
        return [OfferedSkill(str(name), str(text)) for name, text in skills.items()]
    return [
        OfferedSkill(skill, "")
        if isinstance(skill, str)
        else OfferedSkill(str(skill["name"]), str(skill.get("description", "")))
        for skill in skills or ()
    ]


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
