"""Hostile JSON is refused with what is wrong and where, and never quoted; plain JSON passes as it is."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_contracts.strict_json import MAX_DEPTH, NotStrictJson, depth_guard, loads

DEEP = 100_000

REFUSED: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"hello", "not JSON: unexpected character, expected a JSON value at character 0"),
    "empty": (b"", "not JSON: Input is a zero-length, empty document at character 0"),
    "cut off": (b'{"a":', "not JSON: unexpected end of data at character 5"),
    "two documents": (b"{} {}", "not JSON: unexpected content after document at character 3"),
    "byte order mark": (
        b"\xef\xbb\xbf{}",
        "not JSON: UTF-8 byte order mark (BOM) is not supported at character 0",
    ),
    "not UTF-8": (b'{"a":"\xff"}', "not UTF-8 at byte 6"),
    "UTF-16": ('{"a":1}'.encode("utf-16"), "not UTF-8 at byte 0"),
    "surrogate in bytes": (b'{"a":"\xed\xa0\x80"}', "not UTF-8 at byte 6"),
    "lone high surrogate": (b'{"a":"\\ud800"}', "lone surrogate near character 6"),
    "lone low surrogate": (b'{"a":"\\udc00"}', "lone surrogate near character 6"),
    "NUL byte": (b'{"a":"\x00"}', "NUL byte at byte 6"),
    "NUL escaped": (b'{"a":"x\\u0000"}', "NUL characters are not allowed"),
    "NUL in a key": (b'{"\\u0000":1}', "NUL characters are not allowed"),
    "NUL in a list of maps": (b'{"a":[{"b":"\\u0000"}]}', "NUL characters are not allowed"),
    "NaN": (b'{"a":NaN}', "NaN and infinities are not JSON"),
    "infinity": (b'{"a":[1, -Infinity]}', "NaN and infinities are not JSON"),
    "1e999": (b'{"a":1e999}', "a number is beyond what a double holds at character 5"),
    "10,000 digits": (
        b'{"a":' + b"1" * 10_000 + b"}",
        "a number is beyond what a double holds at character 5",
    ),
    "2 to the 63": (b'{"a":9223372036854775808}', "a number is beyond 64 bits"),
    "2 to the 64": (b'{"a":18446744073709551616}', "a number is beyond 64 bits"),
    "below minus 2 to the 63": (b'{"a":-9223372036854775809}', "a number is beyond 64 bits"),
    "100k lists": (b'{"a":' + b"[" * DEEP + b"]" * DEEP + b"}", "nested deeper than 64"),
    "100k maps": (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "nested deeper than 64"),
    "100k opened": (b"[" * DEEP, "nested deeper than 64"),
    "one too deep": (b'{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "nested deeper than 64"),
    "duplicate key": (b'{"a":1,"a":1}', "duplicate key 'a'"),
    "duplicate key inside": (b'{"x":[{"from":1,"from":2}]}', "duplicate key 'from'"),
    "duplicate key, one escaped": (b'{"a":1,"\\u0061":2}', "duplicate key 'a'"),
    "duplicate key, one with a space before its colon": (b'{"a" :1,"a":2}', "duplicate key 'a'"),
    "duplicate key, one with two spaces": (b'{"a"  :1,"a":2}', "duplicate key 'a'"),
    "duplicate key, one with a line break": (b'{"a"\n:1,"a":2}', "duplicate key 'a'"),
    "duplicate key that may be a secret": (b'{"Winter-42!":1,"Winter-42!":2}', "duplicate key"),
    "duplicate key beside a text like a key": (b'{"x":"\\":","a":1,"a":2}', "duplicate key 'a'"),
    "duplicate key behind a backslash": (b'{"x\\\\":1,"a":1,"a":2}', "duplicate key 'a'"),
    "duplicate key in a list of lists": (b'{"a":[[{"b":1,"b":2}]]}', "duplicate key 'b'"),
    "2 to the 63 in a list": (b'{"a":[9223372036854775808]}', "a number is beyond 64 bits"),
    "2 to the 63 later in a list": (b'{"a":[1,9223372036854775808]}', "a number is beyond 64 bits"),
    "2 to the 63 after a space": (b'{"a": 9223372036854775808}', "a number is beyond 64 bits"),
    "2 to the 63 after a line break": (b'{"a":\n9223372036854775808}', "a number is beyond 64 bits"),
    "list at the top": (b"[{}]", "the top level must be an object, not an array"),
    "null at the top": (b"null", "the top level must be an object, not null"),
    "string at the top": (b'"a"', "the top level must be an object, not a string"),
    "number at the top": (b"1", "the top level must be an object, not a number"),
    "boolean at the top": (b"true", "the top level must be an object, not a boolean"),
}

PASSED: dict[str, bytes] = {
    "canonical": b'{"a":1,"b":[true,null]}',
    "spaces and order": b'{ "b" : 1 , "a" : 2 }',
    "as deep as allowed": b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}",
    "many brackets that are text": b'{"a":"' + b"[{" * 500 + b'\\"[["}',
    "many brackets side by side": b'{"a":[' + b",".join([b"[]"] * 200) + b"]}",
    "a backslash before u0000": b'{"a":"\\\\u0000"}',
    "a pair of surrogates": b'{"a":"\\ud83d\\ude00"}',
    "the largest integer": b'{"a":9223372036854775807}',
    "the smallest integer": b'{"a":-9223372036854775808}',
    "a real number": b'{"a":0.25}',
    "1 MiB of text": b'{"a":"' + b"x" * 1_048_576 + b'"}',
}


@pytest.mark.parametrize(("data", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_hostile_json_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(NotStrictJson) as refused:
        loads(data)

    assert str(refused.value) == reason


@pytest.mark.parametrize("data", PASSED.values(), ids=list(PASSED))
def test_plain_json_is_read_as_every_other_parser_reads_it(data: bytes) -> None:
    assert loads(data) == json.loads(data)


def test_the_depth_guard_stands_alone_too() -> None:
    depth_guard(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    with pytest.raises(NotStrictJson, match="nested deeper"):
        depth_guard(b"[" * (MAX_DEPTH + 1))


_text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(_text, _values, max_size=5))
def test_whatever_we_write_we_read(value: dict[str, object]) -> None:
    assert loads(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)) == value
    assert loads(json.dumps(value, indent=1).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else_happens(data: bytes) -> None:
    try:
        read = loads(data)
    except NotStrictJson:
        return
    assert isinstance(read, dict)


_key = st.sampled_from(['"a"', '"b"', '"\\u0061"', '"a\\\\"', '"\\":"'])
_space = st.sampled_from(["", " ", "  ", "\n", "\t"])
_scalar = st.sampled_from(
    ["1", '"x"', '"\\":"', "null", "9223372036854775808", "[]", "[1]", '[[{"a":1}]]', "0.5"]
)


def _naive(text: str) -> bool:
    """Whether any key stands twice or any number is beyond 64 bits, seen the slow and plain way."""
    wrong: list[object] = []

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        wrong.extend([items] if len(dict(items)) != len(items) else [])
        return dict(items)

    def number(digits: str) -> int:
        wrong.extend([digits] if int(digits) >= 2**63 else [])
        return int(digits)

    json.loads(text, object_pairs_hook=pairs, parse_int=number)
    return bool(wrong)


@given(st.lists(st.tuples(_key, _space, _space, _scalar), max_size=5), st.booleans())
def test_no_short_cut_lets_a_second_key_or_a_large_number_by(
    entries: list[tuple[str, str, str, str]], inside: bool
) -> None:
    body = "{" + ",".join(f"{key}{before}:{after}{value}" for key, before, after, value in entries) + "}"
    text = f'{{"list":[{body}]}}' if inside else body

    if _naive(text):
        with pytest.raises(NotStrictJson):
            loads(text.encode())
    else:
        assert loads(text.encode()) == json.loads(text)
