"""Tokens of history search in the six languages and beyond (C81)."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.history_tokens import (
    MAX_INDEXED,
    MAX_QUERY_TOKENS,
    MAX_TOKEN_CHARS,
    index_tokens,
    query_tokens,
    scope_of,
    tsvector_literal,
)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The VPN is down", "vpn"),
        ("la reunión es mañana", "reunion"),
        ("la reunion es manana", "reunión"),
        ("Straße gesperrt", "STRASSE"),
        ("Đặt phòng họp tầng ba", "dat phong hop"),
        ("Зустріч о дев'ятій", "дев’ятій"),
        ("会議室の予約は総務へ", "予約"),
        ("ﾊﾟｽﾜｰﾄﾞを変更", "パスワード"),
        ("서버가 멈췄다", "서버가"),
        ("ประชุมพรุ่งนี้", "พรุ่งนี้"),
        ("see the runbook wiki/vpn-reset", "vpn-reset"),
        ("ticket INC-4711 is open", "4711"),
        ("build v1.24.3 failed", "v1.24.3"),
        ("हिन्दी में बैठक", "हिन्दी"),
    ],
)
def test_what_was_said_is_found_by_what_is_asked(said: str, asked: str) -> None:
    said_tokens = {token for token, _ in index_tokens(said)}
    assert said_tokens & set(query_tokens(asked))


def test_letters_of_other_scripts_that_differ_by_a_mark_stay_apart() -> None:
    assert "мии" not in {token for token, _ in index_tokens("мій")}
    assert "мій" in {token for token, _ in index_tokens("мій")}


def test_forms_of_one_word_share_its_position() -> None:
    assert index_tokens("mañanas sí") == [("mañanas", 1), ("mananas", 1), ("manan", 1), ("sí", 2), ("si", 2)]


def test_a_run_without_spaces_gives_pairs_and_its_last_sign() -> None:
    assert [token for token, _ in index_tokens("総務部")] == ["総務", "務部", "部"]


def test_a_run_that_is_asked_for_gives_its_pairs() -> None:
    assert query_tokens("総務部") == ["総務", "務部"]
    assert query_tokens("don't reset") == ["don't", "don", "t", "reset"]


def test_a_compound_gives_the_known_words_that_it_is_made_of() -> None:
    tokens = {token for token, _ in index_tokens("Verbindungsstörung")}
    assert {"verbindungsstörung", "verbind", "stor"} <= tokens
    assert {token for token, _ in index_tokens("Connection")} == {"connection", "connect"}


def test_tokens_of_the_index_are_marked_with_their_agent() -> None:
    one, other = UUID(int=1), UUID(int=2)
    assert tsvector_literal("vpn", one) == "'1000:vpn':1"
    assert scope_of(one) != scope_of(other)
    assert scope_of(None) == ""


def test_words_that_carry_nothing_are_not_looked_for_unless_nothing_else_is_there() -> None:
    assert query_tokens("the owner of the VPN") == ["owner", "vpn"]
    assert query_tokens("is it the") == ["is", "it", "the"]
    assert "not" in query_tokens("not on the list")


@pytest.mark.parametrize("text", ["", "  ", "!!! ??? & | ( ) :*", "'", "\\", "🦊🦊"])
def test_a_text_without_words_has_no_tokens(text: str) -> None:
    assert index_tokens(text) == []
    assert query_tokens(text) == []
    assert tsvector_literal(text) == ""


def test_sizes_are_bounded() -> None:
    assert len(index_tokens("a1 b2 c3 " * 10_000)) <= MAX_INDEXED + 1
    assert len(query_tokens(" ".join(f"w{n}" for n in range(500)))) == MAX_QUERY_TOKENS
    assert len(index_tokens("x" * 9_999)[0][0]) == MAX_TOKEN_CHARS


def test_the_literal_quotes_what_needs_quoting_and_counts_places() -> None:
    assert tsvector_literal("don't stop, stop") == "'don''t':1 'dont':1 'don':2 't':3 'stop':4 'stop':5"


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_tokens_without_spaces_and_a_query_finds_its_own_text(text: str) -> None:
    indexed = {token for token, _ in index_tokens(text)}
    asked = query_tokens(text)
    assert all(token and not any(sign.isspace() or sign == "\x00" for sign in token) for token in indexed)
    assert set(asked) <= indexed
