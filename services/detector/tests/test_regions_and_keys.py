"""Where models work, keys that are replaced while calls are made, and the settings on record (G20, G28, G33)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dw_detector.adapters.keys import KeyFile
from dw_detector.gate.build import on_record
from dw_detector.gate.calls import GateRefused
from dw_detector.settings import Settings
from dw_runtime import BadSettings, load_settings
from services.detector.tests.gate_world import GOOD, World, items, openai_answer
from services.detector.tests.test_access_gate import limit

Make = Callable[..., World]
WELL = openai_answer(items(GOOD))
BEARER = ("Authorization", "Bearer ")


@pytest.mark.integration
async def test_a_model_that_works_elsewhere_is_passed_over_and_the_ledger_says_where_it_went(
    world: Make,
) -> None:
    made = world(WELL)
    made.gate.regions = {"small": "us", "big": "eu"}
    limit(made, "org", "allowed_regions", ["eu", "ch"])
    assert (await made.provider.detect(made.question())).model == "big"
    assert [body["model"] for body in made.asked] == ["big"]
    assert made.query("SELECT request_model, region FROM dw_ai_usage") == [("big", "eu")]


@pytest.mark.integration
async def test_a_model_of_which_nobody_says_where_it_works_is_in_no_region(world: Make) -> None:
    made = world(WELL)
    made.gate.regions = {"big": "us"}
    limit(made, "org", "allowed_regions", ["eu"])
    with pytest.raises(GateRefused) as refused:
        await made.provider.detect(made.question())
    assert (refused.value.refusal.reason, refused.value.refusal.status) == ("region_not_allowed", 403)
    assert made.asked == []
    assert made.ledger() == []
    assert made.held() == (0, 0)


@pytest.mark.integration
async def test_another_key_in_the_file_counts_from_the_next_call_on_and_a_bad_file_changes_nothing(
    world: Make, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_text("first\n")
    made = world(WELL, keys=KeyFile(file, *BEARER))

    async def used() -> str:
        made.headers.clear()
        await made.provider.detect(made.question())
        return str(made.headers[0]["authorization"])

    assert await used() == "Bearer first"
    replace(file, "second\nfirst\n")
    assert await used() == "Bearer second"
    for unfit in ("", "two words", "schlüssel"):
        replace(file, unfit)
        assert await used() == "Bearer second"
    file.unlink()
    assert await used() == "Bearer second"
    replace(file, "third")
    assert await used() == "Bearer third"


def replace(file: Path, text: str) -> None:
    """As mounted secrets are: another file under the same name."""
    fresh = file.with_name("fresh")
    fresh.write_text(text, "utf-8")
    os.replace(fresh, file)


@pytest.mark.parametrize("text", [None, "", " \n", "two words"])
def test_without_a_key_in_its_file_the_detector_does_not_start(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "key").write_text(text)
    with pytest.raises(ValueError, match="holds no key"):
        KeyFile(tmp_path / "key", *BEARER)


def test_both_keys_of_a_file_go_with_a_call_in_order(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("old, new")
    keys = KeyFile(tmp_path / "key", "x-api-key")
    assert keys.headers() == [{"x-api-key": "old"}, {"x-api-key": "new"}]


@pytest.mark.parametrize(
    "address",
    [
        "https://models.example/v1?api-version=2024-10-21",
        "https://models.example/v1?",
        "https://models.example/v1#part",
        "https://me:hunter2@models.example/v1",
        "https://hunter2@models.example/v1",
        "models.example/v1",
        "ftp://models.example/v1",
        "https:///v1",
        "https://[models/v1",
        "https://models.example:hunter2/v1",
    ],
)
def test_an_address_that_could_not_be_asked_as_it_stands_is_refused_at_start(address: str) -> None:
    with pytest.raises(BadSettings, match="DW_DETECTOR_BASE_URL: is no http or https address") as refused:
        load_settings(Settings, {"DW_DETECTOR_BASE_URL": address})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["", "http://127.0.0.1:9/v1", "https://models.example/openai/v1/", "http://[::1]:9"]
)
def test_a_plain_address_is_taken_as_it_is(address: str) -> None:
    assert load_settings(Settings, {"DW_DETECTOR_BASE_URL": address}).base_url == address


@pytest.mark.integration
async def test_what_models_are_called_under_is_on_record_before_the_first_call_and_once(world: Make) -> None:
    settings = Settings(provider="openai", api_key="hunter4", model="small", regions="small=eu").model_copy(
        update={"base_url": "https://me:hunter2@models.example/v1?token=hunter3"}  # refused at start
    )
    told = on_record(settings)
    assert "hunter" not in str(told)
    assert (told["address"], told["model"], told["regions"]) == (
        "https://models.example/v1",
        "small",
        "small=eu",
    )
    made = world(WELL)
    made.gate.settings = told
    for _ in range(2):
        await made.provider.detect(made.question())
    assert made.query("SELECT before, after FROM dw_gate_settings") == [(None, told)]
