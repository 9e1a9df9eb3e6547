"""What held and what did not, step by step; at the end the sums."""

from __future__ import annotations

import json
from typing import Any, Final

from rich.console import Console

from dw_cli.play.parse import BadStory
from dw_cli.play.story import Story, StoryStep

MAX_STATUS: Final = 100
MAX_WORDS: Final = 2_000


class Report:
    """Prints as it goes. `held + failed + skipped` is the number of steps of all files."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.files = 0
        self.held = 0
        self.failed = 0
        self.skipped = 0
        self.failures: list[dict[str, Any]] = []

    @property
    def status(self) -> int:
        """Exit status: the number of steps that failed, at most 100."""
        return min(self.failed, MAX_STATUS)

    def begins(self, story: Story) -> None:
        """A file is about to be played."""
        self.files += 1
        self._say(f"\n{story.path}: {story.title}", "bold")

    def holds(self, story: Story, step: StoryStep, seen: str) -> None:
        """A step held."""
        self.held += 1
        self._say(f"  ✓ {_named(step)}  {seen}")

    def fails(self, story: Story, step: StoryStep, words: str) -> None:
        """A step did not hold."""
        self.failed += 1
        why = f"  (why: {step.why})" if step.why else ""
        self._say(f"  ✗ {_named(step)}  {words[:MAX_WORDS]}{why}", "red")
        self._fail(story.path, step.number, step.type, words, step.why)

    def skips(self, story: Story, step: StoryStep, why: str) -> None:
        """A step is left out."""
        self.skipped += 1
        self._say(f"  - {_named(step)}  left out, {why}", "dim")

    def skips_file(self, story: Story, why: str) -> None:
        """A whole file is left out."""
        self.skipped += len(story.steps)
        self._say(f"  - left out, {why}", "dim")

    def not_set_up(self, story: Story, words: str) -> None:
        """The orgs of a file could not be made: none of its steps can hold."""
        self.failed += len(story.steps)
        self._say(f"  ✗ setup  {words[:MAX_WORDS]}", "red")
        self._fail(story.path, 0, "setup", words)

    def unreadable(self, path: str, bad: BadStory) -> None:
        """A file that does not fit: none of its steps can hold."""
        self.files += 1
        self.failed += bad.steps
        for fault in bad.faults:
            self._say(f"  ✗ {fault}", "red")
            self._fail(path, fault.step, fault.field, fault.words)

    def ends(self) -> None:
        """The sums in words."""
        steps = self.held + self.failed + self.skipped
        self._say(
            f"\n{self.files} files, {steps} steps: {self.held} held, {self.failed} failed, {self.skipped} left out"
        )

    def as_json(self) -> str:
        """The sums in one line."""
        sums = {
            "files": self.files,
            "steps": self.held + self.failed + self.skipped,
            "held": self.held,
            "failed": self.failed,
            "skipped": self.skipped,
            "failures": self.failures,
        }
        return json.dumps(sums, ensure_ascii=False)

    def _fail(self, path: str, step: int, what: str, words: str, why: str = "") -> None:
        failure = {"file": path, "step": step, "type": what, "words": words[:MAX_WORDS], "why": why}
        self.failures.append(failure)

    def _say(self, line: str, style: str = "") -> None:
        self._console.print(line, style=style or None, highlight=False, markup=False)


def _named(step: StoryStep) -> str:
    """Number, type and whom it is about."""
    about = [
        ", ".join(value) if isinstance(value, tuple) else str(value)
        for name in ("who", "do", "action", "sender", "agent", "channel", "as_", "service", "query")
        if (value := getattr(step.step, name, None))
    ]
    return f"{step.number:>2} {step.type:<10} {' '.join(about)}".rstrip()
