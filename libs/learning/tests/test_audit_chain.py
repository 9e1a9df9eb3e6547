"""The chain's rules: what each kind of tampering looks like, and that none goes unseen."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dw_learning.audit_chain import FIELDS, Body, Entry, Report, Verifier, body_digest, entry_hash, genesis

ORG = UUID(int=7)
AT = datetime(2026, 1, 1, 12, tzinfo=UTC)


def event(n: int, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = dict.fromkeys(FIELDS)
    made |= {
        "id": n,
        "event_id": UUID(int=n),
        "org_id": ORG,
        "event_type": "memory_auto_saved",
        "actor_id": "w",
        "digest": body_digest(b"salt", "why", None, {"n": n}),
        "at": AT,
    }
    return made | fields


def chain(count: int, org: UUID = ORG, **fields: Any) -> list[Entry]:
    entries: list[Entry] = []
    last = genesis(org)
    for n in range(1, count + 1):
        row = event(n, **fields)
        made = entry_hash(last, row)
        entries.append(
            Entry(n, row["event_id"], last, made, row, Body(b"salt", "why", None, {"n": n}, False))
        )
        last = made
    return entries


def verify(entries: list[Entry], noted: tuple[int, str] | None = None) -> Report:
    verifier = Verifier(ORG, noted)
    for entry in entries:
        verifier.read([entry])
    return verifier.report(waiting=0, overdue=())


def faults(entries: list[Entry]) -> list[tuple[int, str]]:
    return [(found.position, found.fault) for found in verify(entries).findings]


def test_an_untouched_chain_holds_and_an_empty_one_too() -> None:
    entries = chain(5)
    assert verify(entries) == Report(5, 0, 0, (5, entries[-1].hash.hex()), ())
    assert verify([]) == Report(0, 0, 0, (0, ""), ())


def test_the_hash_is_of_the_moment_and_not_of_its_zone() -> None:
    there = AT.astimezone(timezone(timedelta(hours=9)))
    assert entry_hash(b"", event(1)) == entry_hash(b"", event(1, at=there))
    assert entry_hash(b"", event(1)) != entry_hash(b"", event(1, at=AT + timedelta(microseconds=1)))


def test_the_chain_of_one_org_does_not_hold_in_anothers_place() -> None:
    assert faults(chain(2, UUID(int=8))) == [(1, "unlinked")]


@given(st.integers(1, 8), st.sampled_from([name for name in FIELDS if name != "digest"]))
def test_no_field_of_an_event_can_be_changed_unseen(place: int, name: str) -> None:
    entries = chain(8)
    old = entries[place - 1]
    assert old.event is not None
    changed = {**old.event, name: "another"}
    entries[place - 1] = replace(old, event=changed)
    assert faults(entries) == [(place, "changed")]


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8, unique=True))
def test_no_order_but_the_sealed_one_holds(order: list[int]) -> None:
    entries = chain(8)
    moved = [
        replace(entry, event_id=entries[at].event_id, event=entries[at].event, body=entries[at].body)
        for entry, at in zip(entries, order, strict=True)
    ]
    wrong = [n + 1 for n, at in enumerate(order) if n != at]
    assert faults(moved) == [(place, "reordered") for place in wrong]


@given(st.integers(0, 7))
def test_no_entry_can_be_taken_out_unseen_but_the_last(place: int) -> None:
    entries = chain(8)
    head = (8, entries[-1].hash.hex())
    assert (place + 1, "removed") in faults(
        [*entries[:place], replace(entries[place], event=None), *entries[place + 1 :]]
    )
    left = entries[:place] + entries[place + 1 :]
    shifted = [replace(entry, position=n + 1) for n, entry in enumerate(left)]
    if place < 7:
        assert (place + 1, "gap") in faults(left)
        assert (place + 1, "unlinked") in faults(shifted)
    assert not verify(left, head).holds or place < 7
    assert [found.fault for found in verify(chain(7), head).findings] == ["head_unknown"]


def test_a_head_that_was_noted_is_found_however_far_the_chain_has_grown() -> None:
    entries = chain(8)
    assert verify(entries, (3, entries[2].hash.hex())).holds
    assert verify(entries, (0, "")).holds
    assert not verify(entries, (3, entries[3].hash.hex())).holds


@pytest.mark.parametrize(
    "body",
    [
        Body(b"salt", "why", None, {"n": 2}, False),
        Body(b"other", "why", None, {"n": 1}, False),
        Body(b"salt", "another", None, {"n": 1}, False),
        Body(b"salt", "why", {}, {"n": 1}, False),
        Body(b"salt", "", None, None, True),
        Body(b"", "left over", None, None, True),
        Body(b"", "", {}, None, True),
        Body(b"", "", None, {}, True),
    ],
)
def test_changed_texts_are_found(body: Body) -> None:
    (entry,) = chain(1)
    found = verify([replace(entry, body=body)]).findings
    assert (1, "text_changed") in [(f.position, f.fault) for f in found]


def test_texts_may_be_erased_where_an_event_says_so() -> None:
    entries = chain(3, event_type="person_erased")
    gone = Body(b"", "", None, None, True)
    report = verify([replace(entries[0], body=gone), *entries[1:]])
    assert (report.holds, report.erased) == (True, 1)
    entries = chain(3)
    assert faults([replace(entries[0], body=gone), *entries[1:]]) == [(0, "erased_without_record")]
    assert faults([replace(entries[0], body=None), *entries[1:]]) == [(1, "text_removed")]


def test_findings_are_counted_up_to_a_limit() -> None:
    entries = [replace(entry, event=None) for entry in chain(1_200)]
    assert len(verify(entries).findings) == 100


def test_overdue_events_are_findings_and_waiting_ones_are_not() -> None:
    verifier = Verifier(ORG)
    late = uuid.uuid4()
    report = verifier.report(waiting=5, overdue=[late])
    assert (report.waiting, [found.event_id for found in report.findings]) == (5, [late])
