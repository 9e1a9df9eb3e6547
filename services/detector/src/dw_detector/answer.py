"""What a model has to answer, and its check (D9)."""

from __future__ import annotations

import re
from typing import Final

from pydantic import Field, ValidationError

from dw_contracts.events.detections import MAX_ITEMS, DetectionItem
from dw_contracts.model import Contract
from dw_detector.detect import InvalidAnswer
from dw_detector.form import form_of
from dw_detector.gate.calls import Form
from dw_learning.safe_items import safe_items


class _Answer(Contract):
    items: tuple[DetectionItem, ...] = Field(max_length=MAX_ITEMS)


WORDS: Final = {
    "text": "stands alone, in the message's own words and language",
    "span": "where the message says it: offsets of its first character and of the one after its last, from 0",
    "key": "a short topic in small letters, joined by hyphens",
    "subject": "whom or what it is about",
    "confidence": "how sure it is that the message says this",
    "category": "a label of one word",
    "layer": "operating is how to work, knowledge is what is so",
}
ITEMS: Final = Form("learning_items", "What the message teaches.", form_of(_Answer, WORDS))
FENCED: Final = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL | re.IGNORECASE)


def read_answer(content: str) -> tuple[DetectionItem, ...]:
    """The items. InvalidAnswer says where and what, and nothing of the text."""
    try:
        return safe_items(_Answer.model_validate_json(unfenced(content)).items)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        raise InvalidAnswer(f"{where}: {first['type']}") from None


def fits(content: str) -> bool:
    """Whether it can be read."""
    try:
        read_answer(content)
    except InvalidAnswer:
        return False
    return True


def unfenced(content: str) -> str:
    """The JSON of an answer that is one block of code, as many endpoints give it."""
    found = FENCED.fullmatch(content)
    return content if found is None else found[1]
