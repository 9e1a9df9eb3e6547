"""An org with its people, and a browser or a program of each of them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
import psycopg
from psycopg import sql

PEPPER = "00" * 32
INSTALLATION = "installation-token-of-a-test"
PEOPLE = {
    "ingrid": {"role": "owner"},
    "ada": {"role": "admin"},
    "farid": {},
    "greta": {},
    "minh": {},
}
AGENTS = {
    "it_agent": {"name": "IT Agent", "managers": ["farid", "minh"]},
    "hr_agent": {"name": "HR Agent", "managers": ["greta"]},
}
IDENTITIES = {
    "minh-on-slack": {
        "platform": "slack",
        "workspace_ref": "T1",
        "external_user_id": "U1001",
        "user": "minh",
        "status": "verified",
    }
}
CHANNELS = {
    "helpdesk": {"platform": "slack", "workspace_ref": "T1", "agents": ["it_agent"]},
    "people": {"platform": "slack", "workspace_ref": "T1", "agents": ["hr_agent"]},
}


def org_file(code: str, **parts: Any) -> dict[str, Any]:
    """A file that fits, but for what is said here."""
    whole: dict[str, Any] = {
        "org": code,
        "name": code.title(),
        "users": PEOPLE,
        "agents": AGENTS,
        "identities": IDENTITIES,
        "channels": CHANNELS,
        "keys": {
            "gateway": {"kind": "gateway", "channels": ["helpdesk"]},
            "runtime": {"kind": "runtime", "agents": ["it_agent"]},
        },
    }
    return whole | parts


def bearer(token: str) -> dict[str, str]:
    """The header."""
    return {"authorization": f"Bearer {token}"}


@dataclass
class World:
    """One org, made over HTTP; rows that only the pipeline writes are put in as the superuser."""

    http: httpx.AsyncClient
    admin_dsn: str
    code: str
    org_id: UUID = field(default_factory=uuid.uuid4)
    tokens: dict[str, str] = field(default_factory=dict)
    ids: dict[str, UUID] = field(default_factory=dict)
    applied: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Of the org's routes."""
        return f"/v1/orgs/{self.code}"

    async def create(self) -> World:
        """The org, its owner's token, and everybody in its file."""
        body = {"org": self.code, "owner": "ingrid"}
        made = (await self.http.post("/v1/orgs", json=body, headers=bearer(INSTALLATION))).json()
        self.org_id, self.tokens["ingrid"] = UUID(made["org_id"]), made["owner_token"]
        self.applied = (await self.apply("ingrid", org_file(self.code))).json()
        self.tokens |= self.applied["new_tokens"]
        self.ids = {
            name: UUID(id_)
            for part in ("users", "agents", "channels")
            for name, id_ in self.applied[part].items()
        }
        return self

    async def apply(self, who: str, file: Mapping[str, Any], **params: str) -> httpx.Response:
        """PUT the file."""
        headers = bearer(self.tokens[who])
        return await self.http.put(f"{self.path}/file", json=file, headers=headers, params=params)

    async def get(self, who: str, path: str, **params: Any) -> httpx.Response:
        """GET one of the org's routes."""
        return await self.http.get(self.path + path, headers=bearer(self.tokens[who]), params=params)

    async def decide(self, who: str, item: UUID, action: str = "approve", **body: Any) -> httpx.Response:
        """POST a decision about the first version of an item."""
        return await self.http.post(
            f"{self.path}/items/{item}/decision",
            json={"action": action, "row_version": 1, **body},
            headers=bearer(self.tokens[who]),
        )

    async def act(self, who: str, method: str, path: str, body: Any = None) -> httpx.Response:
        """One of the routes of /v1, as this person."""
        url = f"/v1/orgs/{self.code}{path}"
        return await self.http.request(method, url, json=body, headers=bearer(self.tokens[who]))

    async def learn(self, *texts: str, agent: str | None = "it_agent", **fields: Any) -> list[UUID]:
        """Memories that Ada writes by hand, by id."""
        body = {"agent": str(self.ids[agent]) if agent else None, "texts": list(texts), **fields}
        answer = await self.act("ada", "POST", "/memories", body)
        assert answer.status_code == 200, answer.text
        return [UUID(id_) for id_ in answer.json()["memory_ids"]]

    def saved(self, content: str, **values: Any) -> UUID:
        """A memory that the IT agent saved by itself, with its first revision."""
        made = self.memory(content, **({"origin": "auto_saved", "source_kind": "agent_extracted"} | values))
        self.query(
            "INSERT INTO dw_memory_revisions (org_id, memory_id, revision, content, confidence, changed_by, change_kind)"
            " VALUES (%s, %s, 1, %s, 0.9, 'test', 'create')",
            self.org_id,
            made,
            content,
        )
        return made

    def active(self, agent: str | None = "it_agent") -> list[str]:
        """What the agent knows, or without one what the org knows."""
        rows = self.query(
            "SELECT content FROM dw_agent_memories WHERE org_id = %s AND status = 'active'"
            " AND role_agent_id IS NOT DISTINCT FROM %s ORDER BY content",
            self.org_id,
            self.ids[agent] if agent else None,
        )
        return [row[0] for row in rows]

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        """As the superuser."""
        with psycopg.connect(self.admin_dsn) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def audit(self, subject: UUID | None = None) -> list[str]:
        """Event types of the org, oldest first; those about one thing if it is named."""
        rows = self.query(
            "SELECT event_type FROM dw_learning_events WHERE org_id = %s AND (%s::uuid IS NULL OR subject_id = %s)"
            " ORDER BY id",
            self.org_id,
            subject,
            subject,
        )
        return [row[0] for row in rows]

    def memory(self, content: str, **values: Any) -> UUID:
        """An active memory of the IT agent."""
        made = uuid.uuid4()
        valid = {
            "id": made,
            "org_id": self.org_id,
            "role_agent_id": self.ids["it_agent"],
            "scope": "role_agent",
            "memory_type": "fact",
            "category": "fact",
            "layer": "knowledge",
            "key": f"key-{made.hex[:8]}",
            "content": content,
            "content_hash": made.bytes,
            "risk": "low",
            "confidence": 0.9,
            "source_kind": "user_confirmed",
            "source_refs": '[{"type": "manual"}]',
            "origin": "approved",
            "created_by": "test",
        }
        self._insert("dw_agent_memories", valid | values)
        return made

    def item(self, content: str = "The Porto office closes at 19:00.", **values: Any) -> UUID:
        """A pending memory proposal of the IT agent, as policy writes it. `payload` and `source` say what differs."""
        made = uuid.uuid4()
        payload = {
            "content": content,
            "key": f"key-{made.hex[:8]}",
            "layer": "knowledge",
            "memory_type": "fact",
            "category": "fact",
            "subject_identity": None,
            "marks": [],
        } | values.pop("payload", {})
        source = {
            "event_id": str(uuid.uuid4()),
            "channel_id": str(self.ids["helpdesk"]),
            "message_ref": "m1",
            "revision": 0,
            "at": "2026-01-02T03:04:05+00:00",
            "excerpt": content[:280],
            "verified": False,
        } | values.pop("source", {})
        valid = {
            "id": made,
            "org_id": self.org_id,
            "role_agent_id": self.ids["it_agent"],
            "kind": "memory_proposal",
            "risk": "low",
            "reason_code": "unverified_sender",
            "explanation": "The sender's account is not mapped to a verified person of this org.",
            "proposed_payload": json.dumps(payload),
            "source_refs": json.dumps([source]),
            "proposed_by": f"dw_worker:{self.ids['it_agent']}",
            "confidence": 0.8,
            "published_at": "2026-01-02T03:04:05+00:00",
            "due_at": "2099-01-02T03:04:05+00:00",
        }
        self._insert("dw_learning_items", valid | values)
        return made

    def _insert(self, table: str, values: Mapping[str, Any]) -> None:
        names = sql.SQL(", ").join(map(sql.Identifier, values))
        places = sql.SQL(", ").join(sql.Placeholder() * len(values))
        with psycopg.connect(self.admin_dsn) as connection:
            connection.execute(
                sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, places),
                list(values.values()),
            )
