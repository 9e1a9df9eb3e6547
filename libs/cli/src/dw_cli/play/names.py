"""Names of a setup. With one org they stand alone, with several they are ORG/NAME."""

from __future__ import annotations

from typing import Final

from dw_cli.play.story import Setup, StoryOrg

AGENT_ITSELF: Final = "agent"
"""As sender of a message: the agent's own reply."""


class UnknownName(ValueError):
    """A step names what the setup does not have."""


class Names:
    """Finds who or what a step means."""

    def __init__(self, setup: Setup) -> None:
        self._orgs = setup.orgs
        self._only = next(iter(setup.orgs)) if len(setup.orgs) == 1 else None

    def find(self, kind: str, name: str) -> tuple[str, str]:
        """Org and name in it. `kind` is agent, channel, identity, user, person (a user or an identity) or org."""
        if kind == "org":
            if name not in self._orgs:
                raise UnknownName(f"no org {name!r} in the setup")
            return name, name
        org, short = self._split(name)
        if kind == "identity" and short == AGENT_ITSELF:
            return org, short
        if not any(short in part for part in _parts(self._orgs[org], kind)):
            raise UnknownName(f"no {kind} {name!r} in the setup")
        return org, short

    def _split(self, name: str) -> tuple[str, str]:
        org, slash, short = name.partition("/")
        if slash and org in self._orgs:
            return org, short
        if self._only is not None:
            return self._only, name
        if name == AGENT_ITSELF:
            return next(iter(self._orgs)), name
        raise UnknownName(f"{name!r}: with several orgs a name is ORG/NAME")


def _parts(org: StoryOrg, kind: str) -> tuple[dict[str, object], ...]:
    known: dict[str, tuple[object, ...]] = {
        "agent": (org.agents,),
        "channel": (org.channels,),
        "identity": (org.identities,),
        "user": (org.users,),
        "person": (org.users, org.identities),
    }
    return known[kind]  # type: ignore[return-value]  # all of them are mappings by name
