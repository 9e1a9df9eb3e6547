"""Every door of the product that a story goes through, in one table: a new feature adds its line here and one function
in the family of steps that it belongs to (steps_*.py)."""

from __future__ import annotations

from typing import Final

from dw_cli.play.api import Route

CREATE_ORG: Final = Route("panel", "POST", "/v1/orgs", "creating orgs")
ORG_FILE: Final = Route("panel", "PUT", "/v1/orgs/{org}/file", "the org file")
EVENTS: Final = Route("ingest", "POST", "/v1/events", "chat events")
CONTEXT: Final = Route("context", "POST", "/v1/context", "BuildAgentContext")
SEARCH: Final = Route("context", "POST", "/v1/history/search", "SearchAgentHistory")
ITEMS: Final = Route("panel", "GET", "/v1/orgs/{org}/items", "the Learning Inbox")
DECISION: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/items/{item}/decision", "approving and rejecting learning items"
)
MEMORIES: Final = Route("panel", "GET", "/v1/orgs/{org}/memories", "the Memory tab")
AUDIT: Final = Route("panel", "GET", "/v1/orgs/{org}/audit", "the audit log")

# What people do with items.
EDIT: Final = Route("panel", "PUT", "/v1/orgs/{org}/items/{item}/text", "editing a learning item")
REVIEWER: Final = Route("panel", "PUT", "/v1/orgs/{org}/items/{item}/reviewer", "reassigning a learning item")
SENSITIVITY: Final = Route(
    "panel", "PUT", "/v1/orgs/{org}/items/{item}/sensitivity", "marking a learning item sensitive"
)
CONVERSION: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/items/{item}/conversion", "converting a learning item"
)
OVERRIDE: Final = Route("panel", "POST", "/v1/orgs/{org}/items/{item}/override", "overriding a decision")
ITEM_FEEDBACK: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/items/{item}/feedback", "feedback on a learning item"
)

# What people do with memories.
EVERY_MEMORY: Final = Route("panel", "GET", "/v1/orgs/{org}/memories", "memories of every status")
ADD_MEMORY: Final = Route("panel", "POST", "/v1/orgs/{org}/memories", "adding memories by hand")
FEEDBACK: Final = Route("panel", "POST", "/v1/orgs/{org}/memories/{memory}/feedback", "feedback on memories")
SUPERSEDE: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/memories/{memory}/supersede", "superseding a memory by hand"
)
DELETE: Final = Route("panel", "POST", "/v1/orgs/{org}/memories/{memory}/delete", "deleting a memory")
RESTORE: Final = Route("panel", "POST", "/v1/orgs/{org}/memories/{memory}/restore", "restoring a memory")
PROMOTE: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/memories/{memory}/promote", "promoting a memory to the whole org"
)
TOMBSTONES: Final = Route("panel", "GET", "/v1/orgs/{org}/tombstones", "the list of tombstones")
LIFT: Final = Route("panel", "DELETE", "/v1/orgs/{org}/tombstones/{tombstone}", "lifting a tombstone")

# How a role-agent learns.
MODE: Final = Route("panel", "PUT", "/v1/orgs/{org}/agents/{agent}/mode", "switching a role-agent's mode")
PAUSE: Final = Route("panel", "POST", "/v1/orgs/{org}/agents/{agent}/pause", "pausing learning")
RESUME: Final = Route("panel", "POST", "/v1/orgs/{org}/agents/{agent}/resume", "resuming learning")
ASSIGN: Final = Route(
    "panel", "PUT", "/v1/orgs/{org}/agents/{agent}/channels/{channel}", "assigning a channel"
)
UNASSIGN: Final = Route(
    "panel", "DELETE", "/v1/orgs/{org}/agents/{agent}/channels/{channel}", "taking a channel away"
)
SUGGEST: Final = Route(
    "panel", "POST", "/v1/orgs/{org}/agents/{agent}/suggestions", "suggestions of channel managers"
)
RULES: Final = Route("panel", "GET", "/v1/orgs/{org}/rules", "the rules of an org")
ADD_RULE: Final = Route("panel", "POST", "/v1/orgs/{org}/rules", "policy rules of an org")
REMOVE_RULE: Final = Route("panel", "DELETE", "/v1/orgs/{org}/rules/{rule}", "policy rules of an org")

# Skills and souls.
SKILLS: Final = Route("panel", "GET", "/v1/orgs/{org}/agents/{agent}/skills", "the skills of a role-agent")
PROPOSE_SKILL: Final = Route("panel", "POST", "/v1/orgs/{org}/agents/{agent}/skills", "proposing a skill")
REVERT_SKILL: Final = Route("panel", "POST", "/v1/orgs/{org}/skills/{skill}/revert", "reverting a skill")
PAUSE_SKILL: Final = Route("panel", "POST", "/v1/orgs/{org}/skills/{skill}/pause", "pausing a skill")
RESUME_SKILL: Final = Route("panel", "POST", "/v1/orgs/{org}/skills/{skill}/resume", "resuming a skill")
ARCHIVE_SKILL: Final = Route("panel", "POST", "/v1/orgs/{org}/skills/{skill}/archive", "archiving a skill")
PROPOSE_SOUL: Final = Route("panel", "POST", "/v1/orgs/{org}/souls", "proposing a soul")
APPROVE_SOUL: Final = Route("panel", "POST", "/v1/orgs/{org}/souls/{soul}/approve", "approving a soul")
ASSIGN_SOUL: Final = Route("panel", "PUT", "/v1/orgs/{org}/agents/{agent}/soul", "assigning a soul")
PAUSE_SOUL: Final = Route("panel", "POST", "/v1/orgs/{org}/agents/{agent}/soul/pause", "pausing a soul")
RESUME_SOUL: Final = Route("panel", "POST", "/v1/orgs/{org}/agents/{agent}/soul/resume", "resuming a soul")

# The agent's own memory.
RUNS: Final = Route("context", "POST", "/v1/runs", "runs and the agent's own memory API")
AGENT_MEMORY: Final = Route(
    "context", "GET", "/v1/agents/{agent}/memory", "reading the agent's own memory API"
)
PUT_MEMORY: Final = Route("context", "PUT", "/v1/agents/{agent}/memory", "the agent's own memory API")
DELETE_MEMORY: Final = Route(
    "context", "DELETE", "/v1/agents/{agent}/memory/{entry}", "deleting by the agent's own memory API"
)
