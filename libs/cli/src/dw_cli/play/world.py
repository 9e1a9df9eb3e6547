"""The world of one story: its orgs as they were made, what was said in it, and what was seen."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from dw_cli.play.api import Api, Unmet
from dw_cli.play.checks import Checks
from dw_cli.play.names import AGENT_ITSELF, Names
from dw_cli.play.stage import Stage, Watch
from dw_cli.play.story import Story, StoryChannel, StoryIdentity, StoryOrg
from dw_cli.play.texts import Texts
from dw_cli.play.views import Reader

NO_TOKEN = "dw_ut_nobody"


@dataclass(slots=True)
class OrgWorld:
    """One org as it was made. `code` is fresh each time; `name` is the story's."""

    name: str
    code: str
    org_id: UUID
    setup: StoryOrg
    agents: dict[str, UUID]
    channels: dict[str, UUID]
    users: dict[str, UUID]
    tokens: dict[str, str]
    gateway_keys: dict[str, str]
    runtime_key: str
    owner_token: str
    file: dict[str, Any]

    def workspace(self, platform: str, account: str) -> str:
        """C48: Slack's team, Discord's server, the mail address itself; empty elsewhere."""
        return workspace_of(self.code, platform, account)

    def token_of(self, user: str) -> str:
        """The user's token; one that opens nothing where the product gave them none."""
        return self.tokens.get(user, NO_TOKEN)

    @property
    def admin_token(self) -> str:
        """Of somebody who sees all of the org."""
        return self.owner_token


def workspace_of(org_code: str, platform: str, account: str) -> str:
    """The workspace of an account in a story's org."""
    return {"slack": f"T-{org_code.upper()}", "discord": f"G-{org_code}", "email": account.lower()}.get(
        platform, ""
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it went out: the org whose gateway said it, its body, and what may answer it."""

    org: str
    body: Mapping[str, Any]
    label: str | None = None
    events: Mapping[str, str] = field(default_factory=dict)  # event ids by the id of the listening agent


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry of a list as it was seen: its id and version."""

    org: str
    item_id: str
    row_version: int
    status: str = "pending"


@dataclass(slots=True)
class World:
    """Everything that the steps of one story share."""

    story: Story
    names: Names
    texts: Texts
    checks: Checks
    api: Api
    watch: Watch
    stage: Stage
    orgs: dict[str, OrgWorld]
    base: datetime = field(default_factory=lambda: datetime.now(UTC) - timedelta(hours=1))
    said: list[Said] = field(default_factory=list)
    refs: dict[str, str] = field(default_factory=dict)
    labelled: dict[str, Said] = field(default_factory=dict)
    taken: dict[str, Taken] = field(default_factory=dict)
    rules: dict[tuple[str, str], str] = field(default_factory=dict)
    versions: dict[tuple[str, str], int] = field(default_factory=dict)
    clock: float = 0.0

    def org_of(self, kind: str, name: str) -> tuple[OrgWorld, str]:
        """The org that a name belongs to, and the name in it."""
        org, short = self.names.find(kind, name)
        return self.orgs[org], short

    def channel(self, name: str) -> tuple[OrgWorld, str, StoryChannel]:
        """A channel by name."""
        org, short = self.org_of("channel", name)
        return org, short, org.setup.channels[short]

    def account(self, name: str, channel: StoryChannel, org: OrgWorld) -> tuple[StoryIdentity, str]:
        """The account behind a sender and its workspace; the agent itself has one on the channel's platform."""
        owner, short = self.org_of("identity", name)
        if short == AGENT_ITSELF and AGENT_ITSELF not in owner.setup.identities:
            owner, identity = org, StoryIdentity(platform=channel.platform, external_id="AGENT", bot=True)
        else:
            identity = owner.setup.identities[short]
        return identity, owner.workspace(identity.platform, identity.external_id)

    def reader(self, org: OrgWorld) -> Reader:
        """Reads answers with this org's names."""
        return Reader({}).named(org.users).named(org.agents)

    def new_ref(self) -> str:
        """A message id such as a platform gives."""
        return f"m-{uuid.uuid4().hex[:16]}"

    def ref_of(self, label: str) -> str:
        """The message id behind a label, also of a message that comes later."""
        return self.refs.setdefault(label, self.new_ref())

    def tick(self, at: float | None) -> float:
        """The platform's clock: where the step puts it, else a second after the last."""
        now = at if at is not None else self.clock + 1.0
        self.clock = max(self.clock, now)
        return now

    def saw_version(self, org: OrgWorld, agent: str, version: Any) -> None:
        """Packs of the agent are at least as new as this from here on (C71)."""
        if isinstance(version, int):
            known = self.versions.get((org.name, agent), 0)
            self.versions[(org.name, agent)] = max(known, version)

    async def settle(self) -> None:
        """All that was accepted has had its effect, and packs from here on must show it."""
        await self.watch.settled()
        await self.refresh_versions()

    async def refresh_versions(self) -> None:
        """Ask from which version on packs show what is known by now."""
        wanted = [(org, agent) for org in self.orgs.values() for agent in org.agents]
        found = await self.watch.versions([(org.org_id, org.agents[agent]) for org, agent in wanted])
        for org, agent in wanted:
            self.saw_version(org, agent, found.get((org.org_id, org.agents[agent])))

    def labels(self, wanted: Sequence[str]) -> list[Said]:
        """Messages by label, in the order in which they were said; `all` are all."""
        if list(wanted) == ["all"]:
            return list(self.said)
        known = {said.label for said in self.said}
        if lost := [label for label in wanted if label not in known]:
            raise Unmet(f"nothing was said under {', '.join(lost)}")
        return [said for said in self.said if said.label in wanted]
