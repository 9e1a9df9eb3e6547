"""Two orgs side by side, ours and theirs, with a row of theirs in every table that can hold one; every text of theirs
carries a mark, so that one word found tells a leak."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
import psycopg
from psycopg import sql

from dw_learning.history_tokens import tsvector_literal

MARK = "ZQTHEIRS"
INSTALLATION = "installation-token-of-a-test"
PEPPER = "00" * 32
TABLES = """
SELECT c.relname, ARRAY(
    SELECT a.attname FROM pg_attribute AS a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'uuid'::regtype ORDER BY a.attnum
)
FROM pg_class AS c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND EXISTS (
    SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
)
ORDER BY c.relname
"""


@dataclass
class Org:
    """An org with an owner, a member who manages its role-agent, and keys."""

    code: str
    org_id: UUID
    tokens: dict[str, str]
    keys: dict[str, str]
    ids: dict[str, UUID] = field(default_factory=dict)


@dataclass
class TwoOrgs:
    """The database as the superuser sees it."""

    dsn: str
    ours: Org
    theirs: Org
    _connection: psycopg.Connection[Any] | None = None

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = psycopg.connect(self.dsn, autocommit=True)
        cursor = self._connection.execute(statement.encode(), args)
        return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        """Leave the database."""
        if self._connection is not None:
            self._connection.close()

    def rows_of_theirs(self) -> dict[str, list[str]]:
        """Every row of theirs, their users and their org among them."""
        found = {
            table: sorted(
                str(row)
                for (row,) in self.query(
                    f"SELECT to_jsonb(t) FROM {table} AS t WHERE org_id = %s", self.theirs.org_id
                )
            )
            for table, _ in self.query(TABLES)
        }
        users = (
            "SELECT to_jsonb(u) FROM dw_users AS u WHERE id IN"
            " (SELECT user_id FROM dw_org_members WHERE org_id = %s)"
        )
        found["dw_users"] = sorted(str(row) for (row,) in self.query(users, self.theirs.org_id))
        orgs = "SELECT to_jsonb(o) FROM dw_orgs AS o WHERE id = %s"
        found["dw_orgs"] = [str(row) for (row,) in self.query(orgs, self.theirs.org_id)]
        return found

    def ids_of_theirs(self) -> dict[str, UUID]:
        """One id of theirs from each uuid column of each table, by `table.column`."""
        found: dict[str, UUID] = {}
        for table, columns in self.query(TABLES):
            for column in columns:
                value = self.query(
                    f"SELECT {column} FROM {table} WHERE org_id = %s AND {column} IS NOT NULL LIMIT 1",
                    self.theirs.org_id,
                )
                if value and value[0][0] is not None:
                    found[f"{table}.{column}"] = value[0][0]
        return found


def org_file(code: str, text: str) -> dict[str, Any]:
    """Codes are each org's own, so that one of theirs names nothing of ours."""
    return {
        "org": code,
        "name": text,
        "users": {
            f"{code}_owner": {
                "role": "owner",
                "name": f"{text} Owner",
                "email": f"{code}@{text.lower()}.example",
            },
            f"{code}_member": {"name": f"{text} Member", "email": f"member@{text.lower()}.example"},
        },
        "agents": {
            f"{code}_agent": {"name": f"{text} Agent", "persona": text, "managers": [f"{code}_member"]}
        },
        "identities": {
            "member": {
                "platform": "slack",
                "workspace_ref": f"T-{text}",
                "external_user_id": f"U-{text}",
                "user": f"{code}_member",
                "status": "verified",
            }
        },
        "channels": {
            f"{code}_desk": {
                "platform": "slack",
                "workspace_ref": f"T-{text}",
                "external_channel_ref": f"C-{text}",
                "display_name": text,
                "agents": [f"{code}_agent"],
            }
        },
        "keys": {
            f"{text} gateway": {"kind": "gateway", "channels": [f"{code}_desk"]},
            f"{text} runtime": {"kind": "runtime"},
        },
    }


async def create(http: httpx.AsyncClient, code: str, text: str) -> Org:
    """Over the panel's own routes."""
    request = {"org": code, "owner": f"{code}_owner", "owner_email": f"{code}@{text.lower()}.example"}
    made = (await http.post("/v1/orgs", json=request, headers=bearer(INSTALLATION))).json()
    owner = made["owner_token"]
    answer = await http.put(f"/v1/orgs/{code}/file", json=org_file(code, text), headers=bearer(owner))
    assert answer.status_code == 200, answer.text
    applied = answer.json()
    org = Org(
        code,
        UUID(made["org_id"]),
        {"owner": owner, "member": applied["new_tokens"][f"{code}_member"]},
        {name.rpartition(" ")[2]: secret for name, secret in applied["new_keys"].items()},
    )
    org.ids = {
        part[:-1]: UUID(next(iter(applied[part].values()))) for part in ("agents", "channels", "users")
    }
    claim = await http.post(f"/v1/orgs/{code}/me/claims", json={"platform": "slack"}, headers=bearer(owner))
    assert claim.status_code == 200, claim.text
    return org


def bearer(token: str) -> dict[str, str]:
    """The header."""
    return {"authorization": f"Bearer {token}"}


def fill(dsn: str, org: Org, text: str) -> None:
    """What only the pipeline writes."""
    agent, channel = org.ids["agent"], org.ids["channel"]
    item, memory, event, skill = (uuid.uuid4() for _ in range(4))
    source = json.dumps(
        [
            {
                "event_id": str(event),
                "channel_id": str(channel),
                "message_ref": text,
                "excerpt": text,
                "verified": True,
            }
        ]
    )
    payload = json.dumps(
        {"content": text, "key": text, "layer": "knowledge", "memory_type": "fact", "category": "fact"}
    )
    common = {"org_id": org.org_id, "role_agent_id": agent}
    at = "2026-01-02T03:04:05+00:00"
    rows: list[tuple[str, dict[str, Any]]] = [
        (
            "dw_learning_items",
            common
            | {
                "id": item, "kind": "memory_proposal", "risk": "low", "reason_code": "unverified_sender",
                "explanation": text, "proposed_payload": payload, "source_refs": source, "proposed_by": "test",
                "published_at": at, "due_at": at,
            },
        ),
        (
            "dw_agent_memories",
            common
            | {
                "id": memory, "scope": "role_agent", "memory_type": "fact", "category": "fact", "key": text,
                "content": text, "content_hash": memory.bytes, "risk": "low", "confidence": 0.9,
                "source_kind": "user_confirmed", "source_refs": source, "origin": "approved", "created_by": "test",
            },
        ),
        (
            "dw_memory_revisions",
            {
                "org_id": org.org_id, "memory_id": memory, "revision": 1, "content": text, "confidence": 0.9,
                "changed_by": "test", "change_kind": "create",
            },
        ),
        (
            "dw_memory_tombstones",
            common | {"id": uuid.uuid4(), "content_hash": event.bytes, "reason": "deleted", "created_by": text},
        ),
        (
            "dw_agent_skills",
            common
            | {"id": skill, "name": text.lower(), "description": text, "risk": "low", "created_by_agent_id": agent},
        ),
        ("dw_agent_skill_versions", {"org_id": org.org_id, "skill_id": skill, "version": 1, "body_md": text, "content_hash": b"x"}),
        ("dw_sources", common | {"channel_id": channel, "message_ref": text}),
        (
            "dw_decisions",
            common
            | {
                "channel_id": channel, "decision_id": event, "item_no": 0, "outcome": "proposed", "rule": text,
                "inputs": "{}", "versions": "{}",
            },
        ),
        (
            "dw_detections",
            common | {"decision_id": event, "answer": json.dumps([{"text": text}]), "provider": "offline"},
        ),
        (
            "dw_chat_events",
            common
            | {
                "id": event, "channel_id": channel, "kind": "message_in", "message_ref": text, "platform": "slack",
                "workspace_ref": f"T-{text}", "external_user_id": f"U-{text}", "sender_kind": "human", "body_text": f"{text} printer", "sealed": True,
                "body_tsv": tsvector_literal(f"{text} printer", agent), "occurred_at": at, "received_at": "2099-01-02T03:04:05+00:00",
            },
        ),
    ]  # fmt: skip
    with psycopg.connect(dsn) as connection:
        for table, values in rows:
            names = sql.SQL(", ").join(map(sql.Identifier, values))
            places = sql.SQL(", ").join(sql.Placeholder() * len(values))
            connection.execute(
                sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, places),
                list(values.values()),
            )
        connection.execute("UPDATE dw_versions SET version = version + 1 WHERE org_id = %s", (org.org_id,))
    org.ids |= {"item": item, "memory": memory, "event": event, "skill": skill}
