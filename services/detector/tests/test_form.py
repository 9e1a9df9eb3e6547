"""What a provider is sent says what it needs to know, and nothing of ours (G25)."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest

from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_detector.answer import ITEMS, read_answer
from dw_detector.detect import InvalidAnswer
from dw_detector.drafting import DRAFT
from dw_detector.gate.calls import Form
from dw_learning.prompts import LEARNING_DETECT
from dw_learning.prompts_shipped import SHIPPED
from services.detector.tests.gate_world import GOOD, items

OURS = re.compile(
    r"(?i:polic|clamp|taxonomy|\bdw\b|detection|itemkind|security)|\b[CDFGRS] ?\d+|_Answer|_Draft|0\.9"
)


@pytest.mark.parametrize("form", [ITEMS, DRAFT])
def test_a_form_holds_no_name_and_no_remark_of_ours(form: Form) -> None:
    sent = orjson.dumps(form.schema).decode()
    assert OURS.search(sent) is None
    assert '"title"' not in sent
    assert "$" not in sent, "all in one piece"


def test_the_form_of_items_is_that_of_the_contract() -> None:
    item: dict[str, Any] = ITEMS.schema["properties"]["items"]["items"]
    assert set(item["properties"]) == set(DetectionItem.model_fields)
    assert item["properties"]["kind"]["enum"] == list(ItemKind)
    assert item["properties"]["span"] == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
        "description": "where the message says it: offsets of its first character and of the one after its last, from 0",
    }
    assert item["required"] == ["kind", "text", "span", "key", "risk_hint", "confidence"]
    assert ITEMS.schema["properties"]["items"]["maxItems"] == 8


def test_the_prompt_names_every_field_that_an_answer_must_have() -> None:
    system = SHIPPED[LEARNING_DETECT].system
    item: dict[str, Any] = ITEMS.schema["properties"]["items"]["items"]
    assert [name for name in item["required"] if f"- {name}:" not in system] == []
    assert "offsets of its first character" in system
    assert OURS.search(system) is None


@pytest.mark.parametrize("fenced", ["```json\n{}\n```", "```\n{}\n```\n", "\n```JSON\n{}```", "{}"])
def test_an_answer_in_a_block_of_code_is_read(fenced: str) -> None:
    assert len(read_answer(fenced.replace("{}", items(GOOD)))) == 1


def test_a_block_of_code_among_words_is_no_answer() -> None:
    with pytest.raises(InvalidAnswer):
        read_answer(f"Here it is:\n```json\n{items(GOOD)}\n```")
