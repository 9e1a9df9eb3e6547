"""Rules for every SQL statement of the package (rule 25, C68): row-level security is the net, not the fence."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from libs.store.tests.sql_texts import OWN_CONNECTION, SOURCES, Statement, statements

EXCEPTION = re.compile(r"-- all orgs: \S+")
USED = re.compile(r"\b(FROM|JOIN|UPDATE|USING|,)\s+(dw_\w+)(?:\s+AS)?(?:\s+(\w+))?", re.I)
INSERTED = re.compile(r"\bINSERT INTO\s+(dw_\w+)(?:\s+AS\s+\w+)?\s*(\([^)]*\))?", re.I)
KEYWORDS = re.compile(
    r"\b(select|insert|into|update|delete|from|join|where|order by|group by|limit|returning|values|on conflict)\b"
)
ENDS_A_NAME = {
    "SET",
    "WHERE",
    "ON",
    "JOIN",
    "LEFT",
    "ORDER",
    "GROUP",
    "LIMIT",
    "FOR",
    "USING",
    "VALUES",
    "SELECT",
}


def tenant_tables() -> frozenset[str]:
    """Those that the migrations put under a policy by org_id, and the keys."""
    versions = files("dw_store.migrations") / "versions"
    names: set[str] = {"dw_api_keys"}
    for path in versions.iterdir():
        if path.name.endswith(".sql"):
            text = path.read_text("utf-8")
            for listed in re.findall(r"FOREACH tenant IN ARRAY ARRAY\[(.*?)\]", text, re.S):
                names.update(re.findall(r"'(dw_\w+)'", listed))
            names.update(re.findall(r"ALTER TABLE (dw_\w+) FORCE ROW LEVEL SECURITY", text))
    return frozenset(names - {"dw_orgs", "dw_users"})


TENANTS = tenant_tables()
ALL = statements()


def missing(text: str) -> list[str]:
    """The tenant tables of a statement that it does not bind to an org."""
    if EXCEPTION.search(text):
        return []
    bare = re.sub(r"--[^\n]*", "", text)
    found = []
    for _, table, alias in USED.findall(bare):
        named = "" if alias.upper() in ENDS_A_NAME else alias
        column = rf"\b{named}\.org_id\b" if named else r"(?<![.\w])org_id\b"
        bound = rf"{column}\s*=|=\s*{column}|=\s*\w+\s*\(\s*{column}"  # compared: to be read or written is not enough
        if table in TENANTS and not re.search(bound, bare):
            found.append(f"{table} {named}".strip())
    found += [t for t, columns in INSERTED.findall(bare) if t in TENANTS and "org_id" not in columns]
    return found


def test_the_rule_finds_what_it_is_for() -> None:
    assert missing("SELECT a.id FROM dw_role_agents AS a WHERE a.id = $1") == ["dw_role_agents a"]
    assert missing("UPDATE dw_channels SET code = 'x' WHERE id = $1") == ["dw_channels"]
    assert missing("INSERT INTO dw_sources (message_ref) VALUES ($1)") == ["dw_sources"]
    assert missing("SELECT a.org_id FROM dw_role_agents AS a WHERE a.id = $1") == ["dw_role_agents a"]
    assert missing("SELECT org_id FROM dw_role_agents WHERE id = $1") == ["dw_role_agents"]
    assert missing("SELECT a.id FROM dw_role_agents AS a WHERE a.org_id = $1") == []
    joined = "SELECT 1 FROM dw_channels AS c JOIN dw_channel_agents AS l ON l.channel_id = c.id WHERE c.org_id = $1"
    assert missing(joined) == ["dw_channel_agents l"]
    assert missing("DELETE FROM dw_sources WHERE TRUE -- all orgs: it is a test") == []
    assert missing("SELECT o.seq FROM dw_outbox AS o") == []


def test_there_is_something_to_check() -> None:
    assert len(ALL) > 60
    assert len(TENANTS) > 30


@pytest.mark.parametrize("statement", ALL, ids=lambda s: s.place)
def test_a_statement_binds_each_tenants_table_to_an_org(statement: Statement) -> None:
    assert missing(statement.text) == []


@pytest.mark.parametrize("statement", ALL, ids=lambda s: s.place)
def test_a_statement_names_its_columns_and_writes_its_words_large(statement: Statement) -> None:
    bare = re.sub(r"--[^\n]*|/\*.*?\*/|'[^']*'", "", statement.text, flags=re.S)
    assert not re.search(r"\bSELECT\s+(\w+\.)?\*", bare)
    assert not re.search(r"\bRETURNING\s+\*", bare)
    assert KEYWORDS.findall(bare) == []


@pytest.mark.parametrize("statement", ALL, ids=lambda s: s.place)
def test_a_statement_sets_nothing_for_longer_than_its_transaction(statement: Statement) -> None:
    """Connections go back to the pool as they are."""
    assert not re.match(r"\s*(SET(?! LOCAL)|RESET|DISCARD|PREPARE|LISTEN)\b", statement.text, re.I)
    for call in re.findall(r"set_config\((.*?)\)", statement.text, re.S):
        assert call.rstrip().upper().endswith("TRUE"), call


def test_migrations_set_the_tenant_for_one_transaction_only() -> None:
    for path in (files("dw_store.migrations") / "versions").iterdir():
        if path.name.endswith(".sql"):
            for call in re.findall(r"set_config\((.*)\)", path.read_text("utf-8")):
                assert call.rstrip().endswith("TRUE"), path.name


def test_the_lint_sees_every_module_of_the_store() -> None:
    """Also one that came today: a statement is found by what it is, not by where it stands."""
    seen = {statement.place.partition(":")[0] for statement in ALL}
    speaking = {
        path.name
        for path in SOURCES.rglob("*.py")
        if "migrations" not in path.parts
        and path.name not in OWN_CONNECTION
        and re.search(r"\b(FROM|INTO|UPDATE|JOIN)\s+dw_\w+", path.read_text("utf-8"))
    }
    assert speaking <= seen


def test_nobody_but_the_store_speaks_sql() -> None:
    """A statement elsewhere would escape these rules. Tools that are the administrator's are named."""
    own = {"devstack", "testkit", "cli"}
    root = Path(__file__).parents[3]
    speaking = [
        str(path.relative_to(root))
        for folder in ("libs", "services")
        for path in (root / folder).rglob("*.py")
        if "src" in path.parts
        and path.relative_to(root).parts[1] not in {"store", *own}
        and re.search(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^\"]*\bdw_\w+", path.read_text("utf-8"))
    ]
    assert speaking == []
