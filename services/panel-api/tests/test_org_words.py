"""An org's own words that mean the same: in its file, for history search."""

from __future__ import annotations

import copy

import pytest
from panel_world import World, org_file

pytestmark = pytest.mark.integration
SETTING = "SELECT value FROM dw_org_settings WHERE org_id = %s AND key = 'history_words'"


async def test_words_of_the_file_are_kept_and_a_second_time_changes_nothing(acme: World) -> None:
    file = copy.deepcopy(org_file("acme")) | {"words": [["Falke", "order desk"], ["Nest", "canteen"]]}
    first = (await acme.apply("ingrid", file)).json()
    (org,) = [step for step in first["plan"] if step["kind"] == "org"]
    assert (org["action"], org["changes"]) == ("update", {"words": ["", "Falke, order desk, Nest, canteen"]})
    assert acme.query(SETTING, acme.org_id) == [(["Falke, order desk", "Nest, canteen"],)]
    again = (await acme.apply("ingrid", file)).json()
    assert {step["action"] for step in again["plan"]} == {"same"}
    without = (await acme.apply("ingrid", org_file("acme"))).json()
    assert {step["action"] for step in without["plan"]} == {"same"}
    assert len(acme.query(SETTING, acme.org_id)) == 1


@pytest.mark.parametrize(
    "words", [[["alone"]], [["a,b", "c"]], [["", "c"]], [["mail", "the password is Hunter-Tiger-42!"]]]
)
async def test_words_that_are_no_lists_of_words_are_refused(acme: World, words: list[list[str]]) -> None:
    assert (await acme.apply("ingrid", org_file("acme") | {"words": words})).status_code == 422
