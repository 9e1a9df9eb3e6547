"""Arrays in text form come back as the values that they were made of, whatever they hold."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from dw_store.array_text import array_parts, joined_texts
from dw_store.database import Database

HOSTILE = ('"', "\\", "a,b", "{}", "NULL", "", "'", '\\"', "{a}", " x ", "\n\t", '","', "\u2028ж", "plain")


@pytest.mark.integration
async def test_values_come_back_as_they_were(dsn_of: Callable[[str], str]) -> None:
    ids = [uuid.uuid4() for _ in HOSTILE]
    at = datetime(2026, 3, 1, 9, 0, 0, 123456, tzinfo=UTC)
    maybe = [text if number % 2 else None for number, text in enumerate(HOSTILE)]
    rows = list(zip(ids, HOSTILE, maybe, [at] * len(ids), range(len(ids)), [True] * len(ids), strict=True))
    plain = [(uuid.uuid4(), "a", "b", at, 1, False), (uuid.uuid4(), "c", "d", at, 2, True)]
    query = (
        "SELECT r.a, r.b, r.c, r.d, r.e, r.f FROM unnest($1::text::uuid[], $2::text::text[], $3::text::text[],"
        " $4::text::timestamptz[], $5::text::bigint[], $6::text::boolean[]) AS r (a, b, c, d, e, f)"
    )
    async with Database.connect(dsn_of("context"), size=1, application_name="test") as database:
        for given in (rows, plain):
            assert [
                tuple(row) for row in await database.fetch(query, *joined_texts([array_parts(given)]))
            ] == given
