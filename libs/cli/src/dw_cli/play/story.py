"""A story file: what is there before it begins, and the steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from dw_cli.play.step import Part, Step

FEATURES: Final = ("core", "inbox", "skills", "souls", "history", "memory_api", "gate")
Feature = Literal["core", "inbox", "skills", "souls", "history", "memory_api", "gate"]
Platform = Literal["slack", "telegram", "discord", "email", "webhook"]


def _said(value: Any) -> Any:
    """YAML reads `off` and `none` in ways of its own."""
    return "off" if value is False else value


def _nobody(value: Any) -> Any:
    return None if value in ("none", "") else value


class AgentFlags(Part):
    """The two booleans of the learning mode."""

    auto: bool = True
    verified: bool = True


class AgentCaps(Part):
    """By whatever setting the product has."""

    auto_saves_per_day: int | None = Field(default=None, ge=0)
    open_proposals: int | None = Field(default=None, ge=0)


class StoryAgent(Part):
    """A role-agent."""

    name: str = ""
    flags: AgentFlags = AgentFlags()
    caps: AgentCaps = AgentCaps()


class StoryUser(Part):
    """A person of the org."""

    role: Literal["owner", "admin", "member"] = "member"
    active: bool = True


class StoryIdentity(Part):
    """A chat account; `none` stands nowhere in the org's identity map."""

    platform: Platform
    external_id: str
    user: Annotated[str | None, BeforeValidator(_nobody)] = None
    status: Annotated[
        Literal["none", "pending", "verified", "revoked"],
        BeforeValidator(lambda v: "none" if v is None else v),
    ] = "none"
    bot: bool = False


class StoryChannel(Part):
    """Where people talk; `shared: false` is one person alone with the agent."""

    platform: Platform
    agents: tuple[str, ...] = ()
    external_id: str | None = None
    shared: bool = True
    private: bool = False
    learning: Annotated[Literal["off", "propose", "auto"], BeforeValidator(_said)] = "auto"


class StoryOrg(Part):
    """A tenant."""

    agents: dict[str, Annotated[StoryAgent, BeforeValidator(lambda v: v or {})]] = Field(default_factory=dict)
    users: dict[str, Annotated[StoryUser, BeforeValidator(lambda v: v or {})]] = Field(default_factory=dict)
    managers: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    channel_managers: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    identities: dict[str, StoryIdentity] = Field(default_factory=dict)
    channels: dict[str, StoryChannel] = Field(default_factory=dict)

    def unknown(self) -> Iterator[tuple[str, str]]:
        """Where the setup names what it does not have: field and what is wrong."""
        for agent, people in self.managers.items():
            yield from self._missing(f"managers.{agent}", "agent", self.agents, (agent,))
            yield from self._missing(f"managers.{agent}", "user", self.users, people)
        for channel, people in self.channel_managers.items():
            yield from self._missing(f"channel_managers.{channel}", "channel", self.channels, (channel,))
            yield from self._missing(f"channel_managers.{channel}", "user", self.users, people)
        for name, channel_ in self.channels.items():
            yield from self._missing(f"channels.{name}.agents", "agent", self.agents, channel_.agents)
        for name, identity in self.identities.items():
            if identity.user is not None:
                yield from self._missing(f"identities.{name}.user", "user", self.users, (identity.user,))

    @staticmethod
    def _missing(
        field: str, kind: str, known: dict[str, Any], names: tuple[str, ...]
    ) -> Iterator[tuple[str, str]]:
        for name in names:
            if name not in known:
                yield field, f"no {kind} {name!r}"


class Setup(Part):
    """Orgs by name."""

    orgs: dict[str, StoryOrg] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step with what stands beside it. `number` counts from 1."""

    number: int
    type: str
    step: Step
    needs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A story that fits."""

    path: str
    id: str
    title: str
    needs: tuple[str, ...]
    tags: tuple[str, ...]
    setup: Setup
    steps: tuple[StoryStep, ...]
