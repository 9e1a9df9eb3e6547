"""For an agent's runtime: the skills of its role-agents, those that it writes, and its desired list (R209 to R214)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from dw_client.transport import Transport
from dw_contracts.http.skills import ChangedSkill, EnableSkill, ProposedSkill, ProposeSkill, SkillView

SkillStatus = Literal["proposed", "active", "paused", "archived"]


class AgentSkillsClient(Transport):
    """`base_url` of panel-api and a runtime key (or a person's token: the routes are the same, R214). What an agent
    writes waits for a person's yes; both that and its list need an admin's leave, else Refused with 403."""

    async def skills(
        self, org: str, agent: str, *, status: SkillStatus | None = None, after: str = "", limit: int = 50
    ) -> tuple[SkillView, ...]:
        """One page by name; `after` is the last name of the page before. `enabled` says what is on the desired list."""
        asked = {"status": status or "", "after": after, "limit": str(limit)}
        found = await self.call("GET", f"/v1/orgs/{org}/agents/{agent}/skills", params=asked)
        return tuple(SkillView.model_validate(row) for row in found)

    async def propose(self, org: str, agent: str, skill: ProposeSkill) -> ProposedSkill:
        """A new skill, or with base_version an update of one that this agent made. Tried once: of a name there is one, so
        after a lost answer a second try would be refused."""
        body = skill.model_dump(mode="json", exclude_defaults=True)
        path = f"/v1/orgs/{org}/agents/{agent}/skills"
        return ProposedSkill.model_validate(await self.call("POST", path, json=body, again=False))

    async def set_desired(self, org: str, skill_id: UUID, desired: bool) -> ChangedSkill:
        """On or off the agent's desired list: what is off is offered in no pack (R211)."""
        body = EnableSkill(enabled=desired).model_dump(mode="json")
        path = f"/v1/orgs/{org}/skills/{skill_id}/enabled"
        return ChangedSkill.model_validate(await self.call("PUT", path, json=body))
