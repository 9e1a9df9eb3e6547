"""Every door of the product that a story goes through, in one table: a new feature adds its line here and one function
in the family of steps that it belongs to (steps_*.py)."""

from __future__ import annotations

from typing import Final

from dw_cli.play.api import Route

CREATE_ORG: Final = Route("panel", "POST", "/api/orgs", "creating orgs")
ORG_FILE: Final = Route("panel", "PUT", "/api/orgs/{org}/file", "the org file")
EVENTS: Final = Route("ingest", "POST", "/v1/events", "chat events")
CONTEXT: Final = Route("context", "POST", "/v1/context", "BuildAgentContext")
SEARCH: Final = Route("context", "POST", "/v1/history/search", "SearchAgentHistory")
ITEMS: Final = Route("panel", "GET", "/api/orgs/{org}/items", "the Learning Inbox")
DECISION: Final = Route(
    "panel", "POST", "/api/orgs/{org}/items/{item}/decision", "approving and rejecting learning items"
)
MEMORIES: Final = Route("panel", "GET", "/api/orgs/{org}/memories", "the Memory tab")
AUDIT: Final = Route("panel", "GET", "/api/orgs/{org}/audit", "the audit log")
