"""Rows that break no rule, but for what a test says about them."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from dw_testkit.orgs import SmallOrg


class Admin:
    """The superuser, who sees and may do everything that the constraints allow."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        """Run it in a transaction of its own; its rows, if it has any."""
        with psycopg.connect(self.dsn) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    def insert(self, table: str, **values: Any) -> None:
        """One row."""
        names = sql.SQL(", ").join(map(sql.Identifier, values))
        places = sql.SQL(", ").join(sql.Placeholder() * len(values))
        statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, places)
        with psycopg.connect(self.dsn) as connection:
            connection.execute(statement, list(values.values()))

    def memory(self, org: SmallOrg, **values: Any) -> UUID:
        """A memory of the org's role-agent that breaks no rule, but for what is said here."""
        made = uuid.uuid4()
        valid = {
            "id": made,
            "org_id": org.org_id,
            "role_agent_id": org.agent_id,
            "scope": "role_agent",
            "memory_type": "fact",
            "category": "fact",
            "layer": "knowledge",
            "key": f"key-{made.hex}",
            "content": "The Lisbon office closes at 18:00.",
            "content_hash": hashlib.sha256(made.bytes).digest(),
            "risk": "low",
            "confidence": 0.9,
            "source_kind": "user_confirmed",
            "source_refs": '[{"type": "manual"}]',
            "origin": "approved",
            "created_by": "test",
        }
        self.insert("dw_agent_memories", **(valid | values))
        return made

    def item(self, org: SmallOrg, **values: Any) -> UUID:
        """A pending item that breaks no rule, but for what is said here."""
        made = uuid.uuid4()
        valid = {
            "id": made,
            "org_id": org.org_id,
            "role_agent_id": org.agent_id,
            "kind": "memory_proposal",
            "risk": "low",
            "reason_code": "unverified_sender",
            "proposed_payload": "{}",
            "source_refs": '[{"type": "manual"}]',
            "proposed_by": "test",
        }
        self.insert("dw_learning_items", **(valid | values))
        return made
