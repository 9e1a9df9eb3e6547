"""Hostile JSON is refused with what is wrong and where, and never quoted; plain JSON passes as it is."""

from __future__ import annotations

import json
import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_contracts.json_places import MAX_DEPTH
from dw_contracts.strict_json import NotStrictJson, loads

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
    "NUL escaped": (b'{"a":"x\\u0000"}', "NUL characters are not allowed at a"),
    "NUL in a key": (b'{"\\u0000":1}', "NUL characters are not allowed"),
    "NUL in a list of maps": (b'{"a":[{"b":"\\u0000"}]}', "NUL characters are not allowed at a[0].b"),
    "NaN": (b'{"a":NaN}', "NaN and infinities are not JSON at a"),
    "infinity": (b'{"a":[1, -Infinity]}', "NaN and infinities are not JSON at a[1]"),
    "1e999": (b'{"a":1e999}', "a number is beyond what a double holds at character 5"),
    "10,000 digits": (
        b'{"a":' + b"1" * 10_000 + b"}",
        "a number is beyond what a double holds at character 5",
    ),
    "2 to the 63": (b'{"a":9223372036854775808}', "a number is beyond 64 bits at a"),
    "2 to the 64": (b'{"a":18446744073709551616}', "a number is beyond 64 bits at a"),
    "below minus 2 to the 63": (b'{"a":-9223372036854775809}', "a number is beyond 64 bits at a"),
    "100k lists": (b'{"a":' + b"[" * DEEP + b"]" * DEEP + b"}", "nested deeper than 64"),
    "100k maps": (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "nested deeper than 64"),
    "100k opened": (b"[" * DEEP, "nested deeper than 64"),
    "deep with spaces": (
        b'{"a": ' + b"[" * 1_010 + b"]" * 1_010 + b"}",
        "nested deeper than 64 at a[0][0][0][0][0][0][0]",
    ),
    "one too deep, with spaces": (
        b'{"a": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}",
        "nested deeper than 64 at a[0][0][0][0][0][0][0]",
    ),
    "one too deep": (
        b'{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}",
        "nested deeper than 64 at a[0][0][0][0][0][0][0]",
    ),
    "too deep behind letters of two bytes": (
        ('{"a":"' + "é" * 60 + '","b":' + "[" * MAX_DEPTH + "x").encode(),
        "nested deeper than 64 at b[0][0][0][0][0][0][0]",
    ),
    "not quite too deep behind letters of two bytes": (
        ('{"a":"' + "é" * 60 + '","b":' + "[" * (MAX_DEPTH - 1) + "x").encode(),
        "not JSON: unexpected character, expected a JSON value at character 135",
    ),
    "a fault before what is too deep": (
        ('{"a":x,"b":' + "[" * MAX_DEPTH).encode(),
        "not JSON: unexpected character, expected a JSON value at character 5",
    ),
    "duplicate key": (b'{"a":1,"a":1}', "duplicate key 'a'"),
    "duplicate key inside": (b'{"x":[{"from":1,"from":2}]}', "duplicate key 'from' at x[0]"),
    "duplicate key, one escaped": (b'{"a":1,"\\u0061":2}', "duplicate key 'a'"),
    "duplicate key, one with a space before its colon": (b'{"a" :1,"a":2}', "duplicate key 'a'"),
    "duplicate key, one with two spaces": (b'{"a"  :1,"a":2}', "duplicate key 'a'"),
    "duplicate key, one with a line break": (b'{"a"\n:1,"a":2}', "duplicate key 'a'"),
    "duplicate key that may be a secret": (b'{"Winter-42!":1,"Winter-42!":2}', "duplicate key"),
    "duplicate key beside a text like a key": (b'{"x":"\\":","a":1,"a":2}', "duplicate key 'a'"),
    "duplicate key behind a backslash": (b'{"x\\\\":1,"a":1,"a":2}', "duplicate key 'a'"),
    "duplicate key in a list of lists": (b'{"a":[[{"b":1,"b":2}]]}', "duplicate key 'b' at a[0][0]"),
    "2 to the 63 in a list": (b'{"a":[9223372036854775808]}', "a number is beyond 64 bits at a[0]"),
    "2 to the 63 later in a list": (b'{"a":[1,9223372036854775808]}', "a number is beyond 64 bits at a[1]"),
    "2 to the 63 after a space": (b'{"a": 9223372036854775808}', "a number is beyond 64 bits at a"),
    "2 to the 63 after a line break": (b'{"a":\n9223372036854775808}', "a number is beyond 64 bits at a"),
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


MANY = 100_000
MEBIBYTE = 1_048_576

COSTLY: dict[str, tuple[bytes, str]] = {
    "a hundred thousand keys, the last one twice": (
        b"{" + b",".join(b'"%07d":0' % number for number in (*range(MANY), MANY - 1)) + b"}",
        "duplicate key",
    ),
    "a hundred thousand keys, each twice": (
        b"{" + b",".join(b'"%07d":0,"%07d":1' % (number, number) for number in range(MANY // 2)) + b"}",
        "duplicate key",
    ),
    "wide gaps between brackets": (
        (b"[" + b" " * (MEBIBYTE // 64)) * 64 + b"x",
        f"not JSON: unexpected character, expected a JSON value at character {(MEBIBYTE // 64 + 1) * 64}",
    ),
    "escaped quotes without an end": (
        b'{"a":"' + b'\\"' * (MEBIBYTE // 2),
        f"not JSON: unexpected end of data at character {6 + MEBIBYTE}",
    ),
    "wide gaps before a NaN": (
        b'{"a":[' + (b"," + b" " * 1_000) * 1_000 + b"NaN]}",
        "NaN and infinities are not JSON",
    ),
    "a million lists side by side": (b"[" + b"[]," * (MEBIBYTE // 3) + b"x", "not JSON"),
}


@pytest.mark.parametrize(("data", "reason"), COSTLY.values(), ids=list(COSTLY))
def test_what_is_costly_to_refuse_is_refused_in_steps_that_grow_with_its_length(
    data: bytes, reason: str
) -> None:
    """A bound of work, not of time: what grew with the square of the length took minutes here (73 s for 50,000 keys)."""
    began = time.process_time()
    with pytest.raises(NotStrictJson) as refused:
        loads(data)
    took = time.process_time() - began

    baseline = time.process_time()
    json.loads(b"[" + b"[[],0]," * (MEBIBYTE // 7) + b"0]")
    allowed = 40 * (time.process_time() - baseline)
    assert str(refused.value).startswith(reason)
    assert took < allowed


PLACES: dict[str, tuple[bytes, str]] = {
    "a text of an event": (
        b'{"events":[{"text":"a"},{"text":"b\\u0000"}]}',
        "NUL characters are not allowed at events[1].text",
    ),
    "a number in a list": (
        b'{"a":{"b":[1, 2, 9223372036854775808]}}',
        "a number is beyond 64 bits at a.b[2]",
    ),
    "a key in the second event": (
        b'{"events":[{"text":"a"}, {"kind":"x","text":"b","text":"c"}]}',
        "duplicate key 'text' at events[1]",
    ),
    "a name that may be a secret": (b'{"Winter-42!":{"a":NaN}}', "NaN and infinities are not JSON at *.a"),
    "a NaN among texts that speak of it": (
        b'{"a":"NaN, \\"NaN","b":[true,{"c":NaN}]}',
        "NaN and infinities are not JSON at b[1].c",
    ),
    "too long to be read again": (
        b'{"a":"' + b"x" * 70_000 + b'","b":"\\u0000"}',
        "NUL characters are not allowed",
    ),
}


@pytest.mark.parametrize(("data", "reason"), PLACES.values(), ids=list(PLACES))
def test_the_place_is_told(data: bytes, reason: str) -> None:
    with pytest.raises(NotStrictJson) as refused:
        loads(data)

    assert str(refused.value) == reason


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
