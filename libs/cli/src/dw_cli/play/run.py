"""Playing stories one after the other on one stack: each on fresh orgs, each step by the function of its type."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dw_cli.play.api import Api, Silent, Unmet
from dw_cli.play.checks import Checks
from dw_cli.play.names import Names
from dw_cli.play.parse import BadStory, read_stories
from dw_cli.play.report import Report
from dw_cli.play.setup import make_org
from dw_cli.play.stage import Stage, Watch
from dw_cli.play.steps_admin import admin
from dw_cli.play.steps_decide import decide
from dw_cli.play.steps_look import audit, inbox, pack, search
from dw_cli.play.steps_memory import feedback, put_memory
from dw_cli.play.steps_say import correct, redeliver, say, tool_run
from dw_cli.play.steps_stack import restart, wait
from dw_cli.play.story import Story, StoryStep
from dw_cli.play.texts import Texts
from dw_cli.play.world import World

PLAYS: Final[Mapping[str, Callable[[World, Any], Awaitable[str]]]] = {
    "say": say,
    "correct": correct,
    "tool_run": tool_run,
    "put_memory": put_memory,
    "decide": decide,
    "feedback": feedback,
    "admin": admin,
    "pack": pack,
    "search": search,
    "inbox": inbox,
    "audit": audit,
    "restart": restart,
    "redeliver": redeliver,
    "wait": wait,
}


def readable(paths: Sequence[Path], report: Report) -> list[Story]:
    """The stories of the files, all read before anything is played; what is wrong with the others is in the report."""
    read = read_stories(paths)
    for path, found in zip(paths, read, strict=True):
        if isinstance(found, BadStory):
            report.unreadable(path.name, found)
    return [found for found in read if isinstance(found, Story)]


class Player:
    """Plays on one stage. `features` None plays whatever a story needs; `tags` are those that this stack can serve."""

    def __init__(
        self, stage: Stage, report: Report, features: Collection[str] | None, tags: Collection[str]
    ) -> None:
        self._stage = stage
        self._report = report
        self._features = features
        self._tags = tags
        self._silent = ""

    async def play(self, stories: Sequence[Story]) -> None:
        """All of them, in order."""
        async with Api(self._stage.urls) as api, Watch.open(self._stage) as watch:
            for story in stories:
                await self.one(api, watch, story)

    async def one(self, api: Api, watch: Watch, story: Story) -> None:
        """One story. Once a service was silent for too long, none that follows is tried."""
        self._report.begins(story)
        if (why := self._left_out(story.needs, story.tags)) is not None:
            self._report.skips_file(story, why)
            return
        if self._silent:
            self._report.not_set_up(story, f"not played: {self._silent}")
            return
        try:
            world = await self._world(api, watch, story)
        except Unmet as error:
            self._silent = str(error) if isinstance(error, Silent) else ""
            self._report.not_set_up(story, str(error))
            return
        for step in story.steps:
            await self._step(world, step)

    async def _world(self, api: Api, watch: Watch, story: Story) -> World:
        texts = Texts(story.path)
        orgs = {name: await make_org(api, self._stage, name, org) for name, org in story.setup.orgs.items()}
        names = Names(story.setup)
        world = World(story, names, texts, Checks(texts), api, watch, self._stage, orgs)
        await world.refresh_versions()
        return world

    async def _step(self, world: World, step: StoryStep) -> None:
        if (why := self._left_out(step.needs, step.tags)) is not None:
            self._report.skips(world.story, step, why)
            return
        if self._silent:
            self._report.fails(world.story, step, f"not played: {self._silent}")
            return
        try:
            seen = await PLAYS[step.type](world, step.step)
        except Unmet as error:
            self._silent = str(error) if isinstance(error, Silent) else ""
            self._report.fails(world.story, step, str(error))
        except Exception as error:  # noqa: BLE001  # a step that breaks did not hold, and the next ones still tell much
            words = "".join(traceback.format_exception(error)[-2:]).strip()
            self._report.fails(world.story, step, f"the player broke: {words}")
        else:
            self._report.holds(world.story, step, seen)

    def _left_out(self, needs: Collection[str], tags: Collection[str]) -> str | None:
        """Why this is not to be played, or None."""
        if self._features is not None and (more := [need for need in needs if need not in self._features]):
            return f"needs {', '.join(more)}"
        if other := [tag for tag in tags if tag == "llm" and tag not in self._tags]:
            return f"tagged {', '.join(other)}: rules alone cannot classify its messages"
        return None
