"""A record's place by its key is the client library's own, which every other writer of the topic goes by."""

from __future__ import annotations

import pytest
from aiokafka.partitioner import DefaultPartitioner
from hypothesis import given
from hypothesis import strategies as st

from dw_runtime.publisher import _partition_of


@given(st.binary(max_size=100), st.integers(1, 48))
def test_a_key_has_the_place_that_the_library_gives_it(key: bytes, count: int) -> None:
    partitions = list(range(count))
    for _ in range(2):  # also when it is remembered
        assert _partition_of(key, partitions, partitions) == DefaultPartitioner()(key, partitions, partitions)


@pytest.mark.parametrize(("available", "expected"), [([3], {3}), ([], {0, 1})])
def test_what_has_no_key_goes_where_there_is_room(available: list[int], expected: set[int]) -> None:
    assert _partition_of(None, [0, 1], available) in expected
