"""What providers refuse, and whose fault it is: the question's, a policy's, a parameter's, or that of how we ask (G14,
G15). Over HTTP, and in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import structlog

from dw_detector.adapters.http import Keys
from dw_detector.detect import InvalidAnswer
from dw_runtime import Transient
from services.detector.tests.gate_world import FACT, GOOD, World, items, openai_answer
from services.detector.tests.model_server import ModelServer, Reply

pytestmark = pytest.mark.integration
Make = Callable[..., World]
Serve = Callable[[Callable[[dict[str, Any]], Reply]], ModelServer]
WELL = openai_answer(items(GOOD))
POISON = "The poison room is called Velo."
NEW_BOUND = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda says: stack.enter_context(ModelServer(says).serving())


def error(code: str | None = None, param: str | None = None, message: str = "no") -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def shown(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


async def test_a_model_that_takes_other_parameters_is_asked_in_its_own_manner_from_then_on(
    world: Make, serve: Serve
) -> None:
    def reasoning(body: dict[str, Any]) -> Reply:
        if "max_tokens" in body:
            return 400, error("unsupported_parameter", "max_tokens", NEW_BOUND)
        if "temperature" in body:
            said = "Unsupported value: 'temperature' does not support 0 with this model."
            return 400, error("unsupported_value", "temperature", said)
        return 200, WELL

    server = serve(reasoning)
    made = world(url=server.url, models=("small",))
    for _ in range(2):
        assert len((await made.provider.detect(made.question())).items) == 1
    assert [("max_tokens" in body, "temperature" in body) for body in server.asked] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),
    ]
    assert server.asked[-1]["max_completion_tokens"] == 2_000
    assert [row[1:4] for row in made.ledger()].count(("failed", "parameter", 0)) == 2
    assert made.gate.breakers["small"].failures == 0
    assert made.held() == (0, 0)


async def test_where_only_words_name_a_parameter_they_have_to_begin_with_it(
    world: Make, serve: Serve
) -> None:
    def says(body: dict[str, Any]) -> Reply:
        if "max_tokens" in body:
            return 400, {"error": {"message": NEW_BOUND, "code": "invalid_request_body"}}
        return 200, WELL

    server = serve(says)
    made = world(url=server.url, models=("small",))
    await made.provider.detect(made.question())
    assert "max_completion_tokens" in server.asked[-1]
    quoted = serve(
        lambda body: (
            (400, error(message=f"cannot read: {NEW_BOUND}")) if "poison" in shown(body) else (200, WELL)
        )
    )
    other = world(url=quoted.url, models=("small",))
    with pytest.raises(InvalidAnswer):
        await other.provider.detect(other.question(POISON))
    assert all("max_tokens" in body for body in quoted.asked)


async def test_anthropics_model_without_a_temperature_is_asked_without(world: Make, serve: Serve) -> None:
    said = {
        "model": "small-0",
        "content": [{"type": "tool_use", "input": {"items": [GOOD]}}],
        "usage": {"input_tokens": 80, "output_tokens": 20},
    }

    def says(body: dict[str, Any]) -> Reply:
        if "temperature" in body:
            told = {"type": "invalid_request_error", "message": "`temperature` is deprecated for this model."}
            return 400, {"type": "error", "error": told}
        return 200, said

    server = serve(says)
    made = world(url=server.url, models=("small",), anthropic=True, keys=Keys.parse("k", "x-api-key"))
    assert len((await made.provider.detect(made.question())).items) == 1
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "told", "words"),
    [
        (400, error("unsupported_parameter", "response_format"), "400 unsupported_parameter"),
        (400, error("invalid_value", "max_tokens", "max_tokens is too large"), "400 invalid_value"),
        (
            400,
            {"error": {"type": "invalid_request_error", "message": "credit balance too low"}},
            "400 invalid_",
        ),
        (
            400,
            {"object": "error", "message": "no", "type": "BadRequestError", "code": 400},
            "400 BadRequestError",
        ),
        (422, {"detail": [{"loc": ["body"]}]}, "answered 422"),
        (
            400,
            [{"error": {"status": "INVALID_ARGUMENT", "type": "bad", "message": "no"}}],
            "answered 400 bad",
        ),
        (400, [], "answered 400"),
        (400, b"<html>bad request</html>", "answered 400"),
        (307, b"", "answered 307"),
        (405, b"", "answered 405"),
        (200, b"<html>log in</html>", "the answer is no JSON"),
        (200, {"hello": "there"}, "the envelope is not"),
    ],
)
async def test_what_is_refused_whatever_is_asked_waits_and_is_said(
    world: Make, serve: Serve, status: int, told: Any, words: str
) -> None:
    """As a refused key does: the breaker opens, nothing becomes a dead letter, and the log says what to mend."""
    server = serve(lambda body: (status, told))
    made = world(url=server.url, models=("small",))
    with structlog.testing.capture_logs() as log:
        for _ in range(4):
            with pytest.raises(Transient):
                await made.provider.detect(made.question())
    assert made.metric("dw_gate_breaker_state", model="small") == 2
    refused = [line for line in log if line["event"] == "model.refused"]
    assert {(line["error"], line["status"], line["model"]) for line in refused} == {
        ("configuration", status, "small")
    }
    assert words in refused[0]["why"]
    assert made.held() == (0, 0)


async def test_one_question_that_an_endpoint_refuses_is_a_dead_letter_with_its_reason(
    world: Make, serve: Serve
) -> None:
    """Also where it is the first of all: a plain question shows that the endpoint answers others."""
    told = error("string_above_max_length", "messages[1].content")
    server = serve(lambda body: (400, told) if "poison" in shown(body) else (200, WELL))
    made = world(url=server.url, models=("small",))
    for _ in range(6):
        with pytest.raises(
            InvalidAnswer, match="bad_request: the provider answered 400 string_above_max_length"
        ):
            await made.provider.detect(made.question(POISON))
    assert len(server.asked) == 6 + 1, "the plain question is put once"
    assert "poison" not in shown(server.asked[1])
    assert made.gate.breakers["small"].state(0.0) == "closed"
    assert len((await made.provider.detect(made.question())).items) == 1


async def test_an_endpoint_that_refuses_everything_of_a_sudden_is_found_out(
    world: Make, serve: Serve
) -> None:
    server = serve(lambda body: (200, WELL))
    made = world(url=server.url, models=("small",))
    await made.provider.detect(made.question())
    server.says = lambda body: (400, error())
    made.now += 31.0
    with pytest.raises(Transient, match="whatever it is asked"):
        await made.provider.detect(made.question())


async def test_a_fallback_answers_where_the_first_model_is_asked_wrongly(world: Make, serve: Serve) -> None:
    server = serve(
        lambda body: (200, WELL) if body["model"] == "big" else (400, error("model_not_found", "model"))
    )
    made = world(url=server.url)
    assert (await made.provider.detect(made.question())).model == "big"


@pytest.mark.parametrize(
    "choice",
    [
        {
            "finish_reason": "content_filter",
            "message": {"content": None, "refusal": "I cannot help with that."},
        },
        {"finish_reason": "stop", "message": {"content": None, "refusal": "I cannot help with that."}},
        {"finish_reason": "content_filter", "message": {"content": ""}},
    ],
)
async def test_a_refusal_in_an_ordinary_answer_goes_to_the_models_for_those(
    world: Make, serve: Serve, choice: dict[str, Any]
) -> None:
    refusal = {
        "model": "small-0",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }
    server = serve(lambda body: (200, WELL if body["model"] == "big" else refusal))
    made = world(url=server.url, models=("small",), policy=("big",))
    assert (await made.provider.detect(made.question())).model == "big"
    assert [body["model"] for body in server.asked] == ["small", "big"]
    assert made.ledger()[0] == ("small", "failed", "content_policy", 100 * 1 + 20 * 4, False, 1)
    alone = world(url=server.url, models=("small",))
    with pytest.raises(InvalidAnswer, match="content_policy: the answer ended with content_filter"):
        await alone.provider.detect(alone.question())


async def test_an_answer_that_was_cut_off_is_not_repaired_under_the_same_bound(
    world: Make, serve: Serve
) -> None:
    cut = {
        "choices": [{"finish_reason": "length", "message": {"content": items(GOOD)[:40]}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2_000},
    }
    server = serve(lambda body: (200, WELL if body["model"] == "big" else cut))
    made = world(url=server.url, models=("small",), long=("big",))
    assert (await made.provider.detect(made.question())).model == "big"
    alone = world(url=server.url, models=("small",))
    with pytest.raises(InvalidAnswer, match="cut_off: the answer ended with length"):
        await alone.provider.detect(alone.question())
    assert [body["model"] for body in server.asked] == ["small", "big", "small"]


@pytest.mark.parametrize(
    ("stop", "match"),
    [
        ("refusal", "content_policy: the answer ended with refusal"),
        ("max_tokens", "cut_off: the answer ended with max_tokens"),
        ("model_context_window_exceeded", "context_window"),
    ],
)
async def test_anthropics_reasons_to_stop_are_looked_at(
    world: Make, serve: Serve, stop: str, match: str
) -> None:
    said = {"content": [], "stop_reason": stop, "usage": {"input_tokens": 80, "output_tokens": 20}}
    made = world(url=serve(lambda body: (200, said)).url, models=("small",), anthropic=True)
    with pytest.raises(InvalidAnswer, match=match):
        await made.provider.detect(made.question())
    assert made.ledger()[0][3] == 80 + 80


async def test_usage_of_a_refusal_that_cannot_be_is_booked_at_what_was_held(
    world: Make, serve: Serve
) -> None:
    said = {
        "choices": [{"finish_reason": "content_filter", "message": {}}],
        "usage": {"prompt_tokens": 10**18, "completion_tokens": 1},
    }
    made = world(url=serve(lambda body: (200, said)).url, models=("small",))
    with pytest.raises(InvalidAnswer):
        await made.provider.detect(made.question())
    ((_, status, _, cost, estimated, _),) = made.ledger()
    assert (status, estimated) == ("failed", True)
    assert cost < 100_000


async def test_an_answer_in_parts_is_read_and_a_name_that_is_none_is_not_kept(
    world: Make, serve: Serve
) -> None:
    parts = [{"type": "text", "text": items(GOOD)[:30]}, {"type": "text", "text": items(GOOD)[30:]}]
    said = openai_answer("", model="AKIA" + "2E0A8F3B244C9986") | {
        "choices": [{"finish_reason": "stop", "message": {"content": parts}}]
    }
    made = world(url=serve(lambda body: (200, said)).url)
    answer = await made.provider.detect(made.question())
    assert [item.text for item in answer.items] == [FACT]
    assert made.query("SELECT response_model FROM dw_ai_usage") == [("",)]
