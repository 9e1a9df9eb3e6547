"""A PostgreSQL that does not answer is never told as a key that opens nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

import pytest

from dw_context.adapters.keys import RuntimeKeys
from dw_context.run_tokens import RunTokens, run_or_key, unauthenticated
from dw_runtime import ProblemError
from dw_runtime.deadline import unavailable


class Keys:
    """Runtime keys of which the database says this."""

    def __init__(self, said: ProblemError) -> None:
        self.said = said

    async def authenticate(self, authorization: str) -> None:
        raise self.said


@pytest.mark.parametrize(
    ("said", "status"), [(unavailable("no answer"), 503), (unauthenticated("a runtime key"), 401)]
)
async def test_a_door_for_two_says_401_only_where_the_key_is_known_to_be_wrong(
    said: ProblemError, status: int
) -> None:
    tokens = RunTokens("00" * 32, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    with pytest.raises(ProblemError) as refused:
        await run_or_key("Bearer dw_rt_x", tokens, cast(RuntimeKeys, Keys(said)))
    assert refused.value.problem.status == status
