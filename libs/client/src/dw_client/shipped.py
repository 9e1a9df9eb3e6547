"""Skills that come with the client, as folders of the public Agent Skills format."""

from __future__ import annotations

from importlib.resources import files

_SKILLS = files("dw_client") / "skills"


def shipped_skills() -> tuple[str, ...]:
    """Their names."""
    return tuple(sorted(folder.name for folder in _SKILLS.iterdir() if folder.is_dir()))


def shipped_skill(name: str) -> str:
    """The text of SKILL.md. Raises KeyError for a name that there is not."""
    if name not in shipped_skills():
        raise KeyError(name)
    return (_SKILLS / name / "SKILL.md").read_text("utf-8")
