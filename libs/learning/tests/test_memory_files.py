"""Memory files: a golden one, every fault by its line, names that lead nowhere else, and there and back for any entry."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.memory_files import MAX_CONTENT, MemoryFile, file_name, read_memory_file, write_memory_file

ENTRY = MemoryFile(
    key="lisbon-hours",
    content="The Lisbon office closes at 18:00.",
    metadata={"topic": "offices"},
    told={
        "id": "00000000-0000-0000-0000-000000000001",
        "origin": "auto_saved",
        "created": "2026-03-01T09:00:00+00:00",
        "updated": "2026-03-02T09:00:00+00:00",
        "source_session": "run-1",
    },
)
GOLDEN = """---
id: "00000000-0000-0000-0000-000000000001"
key: "lisbon-hours"
layer: "knowledge"
type: "fact"
category: "fact"
status: "active"
origin: "auto_saved"
created: "2026-03-01T09:00:00+00:00"
updated: "2026-03-02T09:00:00+00:00"
source_session: "run-1"
metadata: {"topic": "offices"}
---

The Lisbon office closes at 18:00.
"""
HEAD = "---\nkey: k\nlayer: knowledge\ntype: fact\nstatus: active\n"


def test_an_entry_as_a_file() -> None:
    assert write_memory_file(ENTRY) == GOLDEN
    assert read_memory_file(GOLDEN) == ENTRY


def test_a_file_that_a_person_writes_needs_four_keys_and_a_text() -> None:
    assert read_memory_file(HEAD + "---\nSix.\n") == MemoryFile("k", "Six.")
    assert read_memory_file("\ufeff" + (HEAD + "---\nSix.\n").replace("\n", "\r\n")) == MemoryFile(
        "k", "Six."
    )


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", 1, "begin with ---"),
        ("key: k\n", 1, "begin with ---"),
        ("---\nkey: k\n", 3, "no closing ---"),
        (HEAD + "---\n", 7, "no text"),
        (HEAD + "---\n" + "x" * (MAX_CONTENT + 1), 7, "at most 600"),
        (HEAD + "owner: me\n---\nSix.", 6, "unknown key"),
        (HEAD + "key: other\n---\nSix.", 6, "stands twice"),
        (HEAD.replace("key: k\n", "") + "---\nSix.", 5, "key is missing"),
        (HEAD.replace("knowledge", "session") + "---\nSix.", 3, "layer must be"),
        (HEAD.replace("fact", "order") + "---\nSix.", 4, "type must be"),
        (HEAD.replace("active", "superseded") + "---\nSix.", 5, "what is over is not imported"),
        (HEAD.replace("key: k", "key: |") + "---\nSix.", 2, "one line of text"),
        (HEAD.replace("key: k", "key: &a [k]") + "---\nSix.", 2, "one line of text"),
        (HEAD.replace("key: k", "key: !!python/object:os.system k") + "---\nSix.", 2, "one line of text"),
        (HEAD.replace("key: k", 'key: "k\\nstatus: x"') + "---\nSix.", 2, "one line of text"),
        (HEAD.replace("key: k", 'key: "k') + "---\nSix.", 2, "quotes closed"),
        (HEAD.replace("key: k", "key: " + "k" * 111) + "---\nSix.", 2, "1 to 110"),
        (HEAD + "metadata: {}\nmetadata: {}\n---\nSix.", 7, "stands twice"),
        (HEAD + "metadata: [1]\n---\nSix.", 6, "JSON object"),
        (HEAD + "metadata: {'a': 1}\n---\nSix.", 6, "JSON object"),
        (HEAD + 'metadata: {"a": NaN}\n---\nSix.', 6, "JSON object"),
        (HEAD + "metadata: " + "[" * 5_000 + "\n---\nSix.", 6, "JSON object"),
        (HEAD + 'metadata: {"source_deleted": true}\n---\nSix.', 6, "mark that only we set"),
        (HEAD + "subject: minh\n---\nSix.", 6, "must be an id"),
        (HEAD + "created: yesterday\n---\nSix.", 6, "must be a time"),
        (HEAD + "  nested: x\n---\nSix.", 6, "one `key: value` a line"),
        (HEAD + "---\nSix.\x00", 7, "cannot be seen"),
        (HEAD + "---\nSix.\u202egnp", 7, "cannot be seen"),
        (HEAD + "---\nSix.\U000e0041", 7, "cannot be seen"),
        ("-" * 20_000, 1, "at most 16384"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, word: str) -> None:
    found = read_memory_file(text)
    assert not isinstance(found, MemoryFile)
    assert any(fault.line == line and word in fault.problem for fault in found), found


@pytest.mark.parametrize(
    "key",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        "a\\b",
        "C:\\x",
        ".ssh",
        "",
        "日本",
        "Ärger im Büro",
        "k" * 110,
    ],
)
def test_a_name_is_letters_digits_and_hyphens_whatever_the_key_says(key: str) -> None:
    name = file_name(MemoryFile(key, "x"))
    assert re.fullmatch(r"knowledge/[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{8}\.md", name)


def test_names_differ_where_places_do() -> None:
    places = [
        MemoryFile("a/b", "x"),
        MemoryFile("a-b", "x"),
        MemoryFile("a-b", "x", layer="operating"),
        MemoryFile("a-b", "x", subject=UUID(int=1)),
    ]
    assert len({file_name(place).rpartition("-")[2] for place in places}) == 4
    assert file_name(MemoryFile("a-b", "other")) == file_name(MemoryFile("a-b", "x"))


_SEEN = st.characters(exclude_categories=("Cc", "Cf", "Cs", "Co"))
_JSON: Any = st.dictionaries(
    st.text(_SEEN, max_size=10), st.one_of(st.integers(), st.text(max_size=20), st.none()), max_size=5
)


@given(
    key=st.text(_SEEN, min_size=1, max_size=110).map(lambda s: " ".join(s.split())).filter(bool),
    content=st.text(_SEEN, min_size=1, max_size=300).map(str.strip).filter(bool),
    layer=st.sampled_from(["operating", "knowledge"]),
    metadata=_JSON,
)
def test_there_and_back(key: str, content: str, layer: str, metadata: dict[str, Any]) -> None:
    metadata = {k: v for k, v in metadata.items() if not isinstance(v, str) or v.isprintable()}
    entry = MemoryFile(key, content, layer=layer, metadata=metadata)
    assert read_memory_file(write_memory_file(entry)) == entry
