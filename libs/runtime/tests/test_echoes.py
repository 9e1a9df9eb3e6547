"""A refusal does not repeat a secret that stood where a name, a code or a key was expected (C53)."""

from __future__ import annotations

from pydantic import ConfigDict, ValidationError

from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_contracts.model import Contract
from dw_runtime import field_errors
from dw_runtime.echoes import MOST_BYTES, UNKNOWN, code_or_hint, without_echo
from dw_runtime.problems import problem_response

SECRET = "Sommer-Regen-42!"


class _Strict(Contract):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""


def places(**given: str) -> list[str]:
    try:
        _Strict.model_validate(given)
    except ValidationError as error:
        return [one.at for one in field_errors(error, at="keys")]
    return []


def test_a_field_that_we_do_not_know_is_named_only_where_it_looks_like_one() -> None:
    assert places(nmae="x") == ["keys.nmae"]
    for name in (SECRET, "hunter2", "AKIAIOSFODNN7EXAMPLE", "two words", "x" * 41):
        assert places(**{name: "x"}) == [f"keys.{UNKNOWN}"]


def test_a_code_is_repeated_and_what_cannot_be_one_is_not() -> None:
    assert code_or_hint("it_agent") == "it_agent"
    assert code_or_hint(SECRET) == UNKNOWN


def test_what_leaves_holds_no_secret_no_hidden_sign_and_no_long_text() -> None:
    errors = (FieldError(at=f"keys.{SECRET}.kind", problem=f"no user {SECRET!r}"),)
    told = without_echo(
        problem(ProblemCode.INVALID_BODY, 422, f"{SECRET} \u202e{'x' * 2 * MOST_BYTES}", errors)
    )
    assert SECRET not in told.model_dump_json()
    assert "\u202e" not in told.detail
    assert len(told.detail.encode()) <= MOST_BYTES
    assert [one.at for one in told.errors] == ["[redacted:password]"]
    body = bytes(problem_response(problem(ProblemCode.INVALID_BODY, 422, "x", errors)).body)
    assert SECRET.encode() not in body


def test_what_we_say_ourselves_is_said_as_it_is() -> None:
    errors = (
        FieldError(
            at="events.3.sender.external_user_id", problem="holds a credential: send the platform's own id"
        ),
    )
    said = problem(ProblemCode.FORBIDDEN, 403, "this key does not speak for that channel", errors)
    assert without_echo(said) == said
