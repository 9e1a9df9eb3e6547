"""What a model has to answer, and its check (D9)."""

from __future__ import annotations

from typing import Final

from pydantic import Field, ValidationError

from dw_contracts.events.detections import MAX_ITEMS, DetectionItem
from dw_contracts.model import Contract
from dw_detector.detect import InvalidAnswer
from dw_detector.gate.calls import Form
from dw_learning.safe_items import safe_items


class _Answer(Contract):
    items: tuple[DetectionItem, ...] = Field(max_length=MAX_ITEMS)


ITEMS: Final = Form("learning_items", "What the message teaches.", _Answer.model_json_schema())


def read_answer(content: str) -> tuple[DetectionItem, ...]:
    """The items. InvalidAnswer says where and what, and nothing of the text."""
    try:
        return safe_items(_Answer.model_validate_json(content).items)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        raise InvalidAnswer(f"{where}: {first['type']}") from None
